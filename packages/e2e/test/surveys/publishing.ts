import { beforeAll, expect, test } from "vitest";
import type { ApiClient, Json } from "../../src/index.ts";
import { anyId, anyTime, expectRefusal, expectSuccess } from "../expected-shapes.ts";
import { completeRespondent, publishSmallSurvey, type SmallSurvey } from "../small-survey.ts";
import type { SharedSystem } from "../shared-system.ts";

let api: ApiClient;

const publish = (surveyId: string, body: Json = {}) =>
  api.call("POST", `/surveys/${surveyId}/publish`, { headers: { "if-match": "*" }, body });
const changesOf = async (surveyId: string) => (await api.get(`/surveys/${surveyId}/publish/changes`)).data;
const draftOf = async (surveyId: string) => (await api.get(`/surveys/${surveyId}/draft`)).data;

/** Rewords the rating, adds a choice, and removes the answered text question. */
async function edit(survey: SmallSurvey): Promise<string> {
  const { data: elements } = await api.get(`/surveys/${survey.surveyId}/elements`);
  const { questionId } = elements.find(({ id }: { id: string }) => id === survey.choiceId);
  const settings = { typeSettings: {}, responseValidation: { required: true } };
  const reworded = await api.call("PUT", `/elements/${survey.ratingId}/settings`, {
    body: { settings, questionText: "How good was it?" },
  });
  expect(reworded.status, reworded.raw).toBe(200);
  const choice = { choiceId: null, questionId, newTitle: "Perhaps" };
  const added = await api.call("PUT", `/multiple-choice/${survey.choiceId}/choice`, { body: choice });
  expect(added.status, added.raw).toBe(200);
  const retired = await api.call("DELETE", `/elements/${survey.textId}`);
  expect(retired.data).toEqual({ elementId: survey.textId, retired: true, responses: 3 });
  return added.data.newId;
}

/** Tests a second version, and the draft between the versions. */
export function testPublishing(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ api } = await shared.newWorkspace());
  });

  test("a survey is published, answered, changed, published again with acknowledgement, and shows both versions' results", async () => {
    const survey = await publishSmallSurvey(api);
    const { surveyId, ratingId, choiceId, textId } = survey;
    for (const rating of [5, 4, 3]) await completeRespondent(api, survey, rating);
    expect(await draftOf(surveyId)).toEqual({ state: "clean", baseVersion: 1, changeCount: 0, lastEditedAt: anyTime });
    const perhaps = await edit(survey);
    expect(await draftOf(surveyId)).toMatchObject({ state: "dirty", baseVersion: 1, changeCount: 3 });

    const { baseVersion, class: worst, changes } = await changesOf(surveyId);
    expect([baseVersion, worst]).toEqual([1, "results_affecting"]);
    expect(
      changes.map(({ kind, class: effect, elementId, affectedResponses }: Json) => [
        kind,
        effect,
        elementId,
        affectedResponses,
      ]),
    ).toEqual([
      ["question_reworded", "results_affecting", ratingId, 3],
      // Nobody has chosen anything yet.
      ["choices_added", "safe", choiceId, 0],
      ["question_removed", "results_affecting", textId, 3],
    ]);
    const validation = await api.call("POST", `/surveys/${surveyId}/publish/validate`);
    expectSuccess(validation, 200, { valid: true, issues: [], warnings: [] });

    const refused = await publish(surveyId);
    expectRefusal(refused, 409, "acknowledgement_required");
    const acknowledge: string[] = refused.body.error!.details["changes"].map(({ changeId }: Json) => changeId);
    expect(acknowledge).toHaveLength(2);
    expect(await api.get(`/surveys/${surveyId}/lock`)).toMatchObject({
      data: { locked: false, reason: null, holder: null, expiresAt: null },
    });
    // The first version collects until the second is published, including the retired question.
    const late = await completeRespondent(api, survey, 2);
    const second = await publish(surveyId, { note: "Clearer", acknowledge });
    expectSuccess(second, 200, { versionId: anyId, versionNumber: 2, publishedAt: anyTime });
    expectRefusal(await publish(surveyId), 409, "nothing_to_publish");

    const path = `/response/surveys/${surveyId}`;
    const { respondentId } = (await api.post(`${path}/respondents`, {})).data;
    await api.post(path, {
      respondentId,
      responses: [
        { elementId: ratingId, type: "rating", value: 1 },
        { elementId: choiceId, type: "multiple_choice", value: perhaps },
      ],
    });
    const { questionStats } = (await api.get(`${path}/aggregation`)).data;
    expect(questionStats.map(({ elementId, responseCount }: Json) => [elementId, responseCount])).toEqual(
      expect.arrayContaining([
        [ratingId, 5],
        [choiceId, 1],
        [null, 4],
      ]),
    );
    expect(late).toBeTypeOf("string");
    await expectVersions(surveyId, survey);
  });

  /** Versions stay as published, and can be restored into the draft. */
  async function expectVersions(surveyId: string, { ratingId, textId }: SmallSurvey): Promise<void> {
    const { data: versions, body } = await api.get(`/surveys/${surveyId}/versions`);
    expect(body.pagination).toEqual({ cursor_next: null, hasMore: false });
    expect(versions).toMatchObject([
      { versionNumber: 2, note: "Clearer", questionCount: 2 },
      { versionNumber: 1, note: "", questionCount: 3 },
    ]);
    const address = `/surveys/${surveyId}/versions/${versions[1].versionId}`;
    const first = await api.get(address);
    const [page] = first.data.definition.pages;
    expect(page.elements.map(({ elementId, text }: Json) => [elementId, text])).toContainEqual([
      ratingId,
      "How did you like it?",
    ]);
    const etag = first.headers.get("etag")!;
    expect((await api.call("GET", address, { headers: { "if-none-match": etag } })).status).toBe(304);

    expectRefusal(await api.call("POST", `${address}/restore`), 428, "precondition_required");
    const restored = await api.call("POST", `${address}/restore`, { headers: { "if-match": "*" } });
    expectSuccess(restored, 200, { backupId: anyId, questionCount: 3, hasUnpublishedChanges: true });
    expect((await api.get(`/elements/${textId}`)).data).toMatchObject({ id: textId, responses: 4 });
    const { data: backups } = await api.get(`/surveys/${surveyId}/draft/backups`);
    expect(backups.map(({ reason }: Json) => reason)).toEqual(["before_restore", "before_publish", "before_publish"]);
    const back = `/surveys/${surveyId}/draft/backups/${restored.data.backupId}/restore`;
    expect((await api.call("POST", back, { headers: { "if-match": restored.headers.get("etag")! } })).status).toBe(200);
    expect(await draftOf(surveyId)).toMatchObject({ state: "clean", changeCount: 0 });
  }

  test("a score is taken with the other answers where its question left the draft and is still published", async () => {
    const questions = ["answered", "unanswered"].map(() => ({ type: "nps", text: "-" }));
    const { data } = await api.post("/surveys", { name: "Recommend", questions });
    const [answered, unanswered] = (await api.get(`/surveys/${data.id}/elements`)).data.map(({ id }: Json) => id);
    await publish(data.id);
    const path = `/response/surveys/${data.id}`;
    const start = async () => (await api.post(`${path}/respondents`, {})).data.respondentId as string;
    const score = (elementId: string) => `/nps/${elementId}/response`;
    await api.post(score(answered), { respondentId: await start(), score: 9 });
    for (const elementId of [answered, unanswered]) await api.call("DELETE", `/elements/${elementId}`);

    const respondentId = await start();
    for (const [elementId, status, code] of [
      [answered, 404, "element_retired"],
      [unanswered, 403, "element_not_found"],
    ] as const) {
      expectRefusal(await api.call("GET", `${score(elementId)}?respondentId=${respondentId}`), status, code);
      expectRefusal(await api.call("POST", score(elementId), { body: { respondentId, score: 8 } }), status, code);
    }
    const responses = [answered, unanswered].map((elementId) => ({ elementId, type: "nps", value: 7 }));
    await api.post(path, { respondentId, responses });
    const { questionStats } = (await api.get(`${path}/aggregation`)).data;
    expect(questionStats.map(({ responseCount }: Json) => responseCount)).toEqual([2, 1]);
  });
}
