import { waitFor } from "@canvass/testing";
import { beforeAll, expect, test } from "vitest";
import type { ApiClient, Json } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";

let api: ApiClient;

const questions = [
  {
    type: "multiple_choice",
    text: "Which did you order?",
    choices: ["Soup", "Salad"],
    multipleAnswers: true,
    pageTitle: "Order",
  },
  { type: "nps", text: "-", subject: "our canteen" },
  { type: "short_text", text: "Why?" },
  { type: "rating", text: "How was it?", pageTitle: "Each of them" },
];

async function publishedSurvey() {
  const { data: survey } = await api.post("/surveys", { name: "Lunch", questions });
  const { data: pages } = await api.get(`/surveys/${survey.id}/pages`);
  const { data: elements } = await api.get(`/surveys/${survey.id}/elements?include=content`);
  await api.patch(`/surveys/${survey.id}/pages/${pages[1].id}`, { loop: { elementId: elements[0].id } });
  await publish(survey.id);
  return { surveyId: survey.id as string, pages, elements };
}

/** Publishes and acknowledges all changes. */
async function publish(surveyId: string): Promise<void> {
  const { data } = await api.get(`/surveys/${surveyId}/publish/changes`);
  const acknowledge = data.changes.map(({ changeId }: Json) => changeId);
  const headers = { "if-match": "*" };
  expect((await api.call("POST", `/surveys/${surveyId}/publish`, { headers, body: { acknowledge } })).status).toBe(200);
}
const start = async (surveyId: string): Promise<string> =>
  (await api.post(`/response/surveys/${surveyId}/respondents`, {})).data.respondentId;
const remove = (elementId: string) => api.call("DELETE", `/elements/${elementId}`);
const listElements = async (surveyId: string): Promise<Json[]> => (await api.get(`/surveys/${surveyId}/elements`)).data;
const statsOf = async (surveyId: string, questionId: string): Promise<Json> => {
  const { data } = await api.get(`/response/surveys/${surveyId}/aggregation`);
  return data.questionStats.find((stats: Json) => stats.questionId === questionId);
};

/** Tests elements of a draft: read, deleted, retired. */
export function testElements(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ api } = await shared.newWorkspace());
  });

  test("a survey is drawn from one call: what the list shows with content is what a single read shows", async () => {
    const { elements } = await publishedSurvey();
    for (const element of elements) {
      const { data, headers } = await api.get(`/elements/${element.id}`);
      expect(data).toMatchObject(element);
      const again = await api.call("GET", `/elements/${element.id}`, {
        headers: { "if-none-match": headers.get("etag")! },
      });
      expect(again.status).toBe(304);
    }
    expect(elements[0].choices.map(({ text }: Json) => text)).toEqual(["Soup", "Salad"]);
  });

  test("names and codes go from the creation through edits, publication and answers to exports", async () => {
    const choices = [{ label: "Soup", code: "1" }, { text: "Salad", code: "2" }, "Nothing"];
    const named = [
      { type: "multiple_choice", text: "Which?", name: "order", choices },
      { type: "rating", text: "How?", name: "Rating" },
    ];
    const { data: survey } = await api.post("/surveys", { name: "Named", questions: named });
    const [order, rating] = (await api.get(`/surveys/${survey.id}/elements?include=content`)).data;
    expect([order.name, order.choices.map(({ code }: Json) => code ?? null)]).toEqual(["order", ["1", "2", null]]);
    const refused = await api.call("POST", `/surveys/${survey.id}/questions`, {
      body: { questions: [{ type: "rating", text: "?", name: "RATING" }] },
    });
    const taken = "is the name of another element of the survey";
    expect([refused.status, refused.body.error!.details]).toEqual([422, { "questions.0.name": [taken] }]);
    await publish(survey.id);
    const respondentId = await start(survey.id);
    const responses = [
      { elementId: order.id, value: order.choices[1].id },
      { elementId: rating.id, value: 4 },
    ];
    await api.post(`/response/surveys/${survey.id}`, { respondentId, responses });
    const body = { settings: {}, name: "stars" };
    const { data: renamed } = await api.call("PUT", `/elements/${rating.id}/settings`, { body });
    expect(renamed.name).toBe("stars");
    const answersNow = async () => (await api.get(`/response/surveys/${survey.id}`)).data;
    expect((await answersNow()).map(({ name }: Json) => name)).toEqual(["order", "Rating"]);
    const { data: draft } = await api.get(`/surveys/${survey.id}/publish/changes`);
    expect([draft.class, draft.changes.map(({ kind }: Json) => kind)]).toEqual([
      "results_affecting",
      ["question_renamed"],
    ]);
    const unacknowledged = await api.call("POST", `/surveys/${survey.id}/publish`, {
      headers: { "if-match": "*" },
      body: {},
    });
    expect(unacknowledged.body.error!.code).toBe("acknowledgement_required");
    await publish(survey.id);
    const { data: made } = await api.post(`/exports/surveys/${survey.id}`, { format: "ndjson", headings: "names" });
    const done = async () => (await api.get(`/exports/${made.id}`)).data.status === "completed";
    await waitFor(done, { describe: "the export" });
    const { data: download } = await api.get(`/exports/${made.id}/download`);
    const row = JSON.parse(await (await fetch(download.url)).text());
    expect(row).toMatchObject({ respondentId, order: "Salad", stars: 4 });
  });

  test("a question nobody answered is deleted; rules that ask it go, the page closes up, its id is absent", async () => {
    const { surveyId, pages, elements } = await publishedSurvey();
    const [first, , third] = elements;
    const skipLogic = [{ when: { elementId: third.id, operator: "answered" }, goTo: "end" }];
    await api.patch(`/surveys/${surveyId}/pages/${pages[0].id}`, { skipLogic });
    const refused = await remove(first.id);
    expect([refused.status, refused.body.error!.code]).toEqual([422, "validation_failed"]);
    expect(JSON.stringify(refused.body.error!.details)).toContain("Each of them");
    expect((await remove(elements[1].id)).data).toEqual({ elementId: elements[1].id, retired: false, responses: 0 });
    expect((await listElements(surveyId)).map(({ id, sortOrder }) => [id, sortOrder])).toEqual([
      [first.id, 1],
      [third.id, 2],
      [elements[3].id, 1],
    ]);
    await remove(third.id);
    expect((await api.get(`/surveys/${surveyId}/pages`)).data[0].skipLogic).toEqual([]);
    for (const method of ["GET", "DELETE"]) {
      const { status, body } = await api.call(method, `/elements/${third.id}`);
      expect([status, body.error!.code]).toEqual([403, "element_not_found"]);
    }
  });

  test("an answered question is retired, keeps collecting until the next publication, and stays in results", async () => {
    const { surveyId, elements } = await publishedSurvey();
    const nps = elements[1];
    const score = (respondentId: string, score: number) =>
      api.call("POST", `/response/surveys/${surveyId}`, {
        body: { respondentId, responses: [{ elementId: nps.id, value: score }] },
      });
    const respondentId = await start(surveyId);
    const given = { respondentId, score: 9, comment: "Good coffee" };
    expect((await api.call("POST", `/nps/${nps.id}/response`, { body: given })).data).toMatchObject(given);
    const read = await api.get(`/nps/${nps.id}/response?respondentId=${respondentId}`);
    expect(read.data).toMatchObject({ elementId: nps.id, ...given });
    expect((await api.get(`/nps/${nps.id}`)).data).toMatchObject({ answered: true, responses: 1 });

    expect((await remove(nps.id)).data).toEqual({ elementId: nps.id, retired: true, responses: 1 });
    expect((await listElements(surveyId)).map(({ id }) => id)).not.toContain(nps.id);
    // The survey still collects with its published version.
    expect((await score(await start(surveyId), 2)).status).toBe(200);
    expect(await statsOf(surveyId, nps.questionId)).toMatchObject({ elementId: nps.id, responseCount: 2 });
    for (const [method, path, body] of [
      ["GET", `/elements/${nps.id}`, undefined],
      ["GET", `/nps/${nps.id}`, undefined],
      ["DELETE", `/elements/${nps.id}`, undefined],
      ["PUT", `/elements/${nps.id}/settings`, { settings: {} }],
      ["PUT", `/nps/${nps.id}/label`, { side: "left", text: "No" }],
      ["GET", `/nps/${nps.id}/response?respondentId=${respondentId}`, undefined],
      ["POST", `/nps/${nps.id}/response`, given],
    ] as const) {
      const { status, body: answer } = await api.call(method, path, { body });
      expect([path, status, answer.error!.code]).toEqual([path, 404, "element_retired"]);
      expect(answer.error!.details).toEqual({ retiredAt: expect.stringMatching(/Z$/), responses: 2 });
    }

    const stays = await start(surveyId);
    await publish(surveyId);
    expect(await statsOf(surveyId, nps.questionId)).toMatchObject({ elementId: null, responseCount: 2 });
    expect((await score(await start(surveyId), 5)).status).toBe(422);
    expect((await score(stays, 10)).status).toBe(200);
  });

  test("a question that is answered after its deletion is retired by the publication that drops it", async () => {
    const { surveyId, elements } = await publishedSurvey();
    const why = elements[2];
    expect((await remove(why.id)).data).toMatchObject({ retired: false });
    const body = { respondentId: await start(surveyId), responses: [{ elementId: why.id, value: "Soup" }] };
    expect((await api.call("POST", `/response/surveys/${surveyId}`, { body })).status).toBe(200);
    expect((await api.call("GET", `/elements/${why.id}`)).status).toBe(403);
    await publish(surveyId);
    const gone = await api.call("GET", `/elements/${why.id}`);
    expect([gone.status, gone.body.error!.code]).toEqual([404, "element_retired"]);
    expect(gone.body.error!.details).toMatchObject({ responses: 1 });
  });

  test("an answered choice is retired and its answers stay", async () => {
    const { surveyId, elements } = await publishedSurvey();
    const [{ id, questionId, choices }] = elements;
    const [soup, salad] = choices.map((choice: Json) => choice.id);
    const respondentId = await start(surveyId);
    await api.post(`/response/surveys/${surveyId}`, { respondentId, responses: [{ elementId: id, value: [soup] }] });
    const added = await api.call("PUT", `/multiple-choice/${id}/choice`, {
      body: { choiceId: null, questionId, newTitle: "Cake" },
      headers: { "if-match": (await api.get(`/multiple-choice/${id}`)).headers.get("etag")! },
    });
    const stale = await api.call("DELETE", `/multiple-choice/${id}/choice/${soup}`, {
      headers: { "if-match": '"stale"' },
    });
    expect(stale.status).toBe(412);
    const gone = await api.call("DELETE", `/multiple-choice/${id}/choice/${soup}`);
    expect(gone.data).toEqual({ choiceId: soup, retired: true, responses: 1 });
    const unanswered = await api.call("DELETE", `/multiple-choice/${id}/choice/${salad}`);
    expect(unanswered.data).toEqual({ choiceId: salad, retired: false, responses: 0 });
    const { data } = await api.get(`/multiple-choice/${id}`);
    expect(data.choices).toEqual([
      { id: added.data.newId, text: "Cake" },
      { id: soup, text: "Soup", retired: true },
    ]);
    expect((await statsOf(surveyId, questionId)).distribution.counts[soup]).toBe(1);
  });

  test("a write with a key is made once, also when its element is gone", async () => {
    const { elements } = await publishedSurvey();
    const headers = { "idempotency-key": "delete-once" };
    const first = await api.call("DELETE", `/elements/${elements[2].id}`, { headers });
    const again = await api.call("DELETE", `/elements/${elements[2].id}`, { headers });
    expect([again.status, again.raw]).toEqual([200, first.raw]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  test("a token that may not edit edits nothing", async () => {
    const { elements } = await publishedSurvey();
    const { data } = await api.post("/tokens", { name: "Reader", scopes: ["surveys:read"] });
    const headers = { authorization: `Bearer ${data.token}` };
    expect((await api.call("GET", `/elements/${elements[0].id}`, { headers })).status).toBe(200);
    const refused = await api.call("DELETE", `/elements/${elements[2].id}`, { headers });
    expect([refused.status, refused.body.error!.code]).toEqual([403, "insufficient_scope"]);
  });
}
