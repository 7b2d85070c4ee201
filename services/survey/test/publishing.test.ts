import { callOptions } from "@canvass/rpc";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  idempotent,
  question,
  refusal,
  signedPerson,
  startSurveyFixture,
  type SurveyFixture,
} from "./survey-fixture.ts";

let fixture: SurveyFixture;
let now = new Date("2026-03-01T12:00:00Z");
const person = callOptions({ signedCaller: signedPerson() });
const foreign = callOptions({ signedCaller: signedPerson({ workspaceId: "workspace0000002" }) });

beforeAll(async () => {
  fixture = await startSurveyFixture({ now: () => now });
});
beforeEach(() => {
  fixture.counting.before = async () => {};
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

/** A published survey of a rating and a choice question, answered by five. */
async function answeredSurvey() {
  const { surveyId } = await fixture.create({
    name: "Answered",
    questions: [question("a"), { type: "multiple_choice", text: "b", choices: ["1", "2"] }],
  });
  const { versionId } = await fixture.publish(surveyId);
  const elements = (await fixture.elements(surveyId)) as { id: string; questionId: string; pageId: string }[];
  for (const { questionId } of elements) fixture.answers.set(questionId, { respondents: 5 });
  const [text, choice] = elements as [(typeof elements)[0], (typeof elements)[0]];
  const reword = (questionText: string) => {
    const bodyJson = JSON.stringify({ settings: { typeSettings: {}, responseValidation: {} }, questionText });
    return fixture.edit(text.id, { case: "settings", value: { bodyJson } });
  };
  return { surveyId, versionId, text, choice, reword };
}

const getDraft = (surveyId: string) => fixture.client.getDraft({ surveyId }, person);
const lockOf = async (surveyId: string) => (await fixture.client.getLock({ surveyId }, person)).lock;
const versionsOf = (surveyId: string) =>
  fixture.sql<{ version_number: number }>("SELECT version_number FROM versions WHERE survey_id = $1", [surveyId]);

/** A publisher that has counted answers and waits there, holding the lock, until it is let go. */
function heldPublisher(surveyId: string, context?: Parameters<SurveyFixture["publish"]>[2]) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  fixture.counting.before = async () => {
    fixture.counting.before = async () => {};
    reached.resolve();
    await released.promise;
  };
  const outcome = refusalOrVersion(fixture.publish(surveyId, "*", context));
  return { reached: reached.promise, finish: () => (released.resolve(), outcome) };
}

async function refusalOrVersion(publishing: ReturnType<SurveyFixture["publish"]>): Promise<string | number> {
  return publishing.then(
    ({ versionNumber }) => versionNumber,
    (error: { code: string }) => error.code,
  );
}

test("a draft is never published, clean or dirty, and clean again when edits undid each other", async () => {
  const created = await fixture.create({ name: "States", questions: [question("a")] });
  const { surveyId } = created;
  expect(await getDraft(surveyId)).toMatchObject({ state: "never_published", baseVersion: 0, changeCount: 2 });
  await fixture.publish(surveyId);
  const published = await getDraft(surveyId);
  expect(published).toMatchObject({ state: "clean", baseVersion: 1, changeCount: 0 });
  now = new Date(now.getTime() + 5000);
  const [added] = await fixture.add(surveyId, { questions: [question("b")] });
  const dirty = await getDraft(surveyId);
  expect(dirty).toMatchObject({ state: "dirty", baseVersion: 1, changeCount: 1 });
  expect(dirty.lastEditedAt!.seconds - published.lastEditedAt!.seconds).toBe(5n);
  expect(dirty.etag).toBe((await fixture.read(surveyId)).etag);
  expect(await getDraft(surveyId)).toEqual(dirty);
  // Settings are no part of the draft.
  now = new Date(now.getTime() + 5000);
  await fixture.patch(surveyId, "*", { name: "Renamed" });
  expect((await getDraft(surveyId)).lastEditedAt).toEqual(dirty.lastEditedAt);
  await fixture.remove(added!.elementId);
  expect(await getDraft(surveyId)).toMatchObject({ state: "clean", changeCount: 0 });
});

test("validating tells every issue with a code and what to do, and once per key", async () => {
  const { surveyId } = await fixture.create({ name: "Empty" });
  const validate = (context = {}) =>
    fixture.client.validateDraft({ surveyId }, callOptions({ signedCaller: signedPerson(), ...context }));
  const { context, replays } = idempotent("validate-1", {});
  const first = await validate(context);
  expect(first).toMatchObject({
    valid: false,
    issues: [{ path: "questions", code: "no_questions", suggestion: "Add a question." }],
  });
  await fixture.add(surveyId, { questions: [question("a")] });
  expect(await validate(context)).toEqual(first);
  expect(replays).toHaveLength(1);
  expect(await validate()).toMatchObject({ valid: true, issues: [] });
});

test("changes come with class and counted answers; before the first publication all are safe", async () => {
  const { surveyId, reword, text } = await answeredSurvey();
  expect(await fixture.changes(surveyId)).toMatchObject({ summary: { baseVersion: 1, class: "safe" }, changes: [] });
  await reword("A?");
  await fixture.add(surveyId, { questions: [question("c")] });
  const { summary, changes } = await fixture.changes(surveyId);
  expect(summary).toMatchObject({ baseVersion: 1, class: "results_affecting" });
  expect(changes).toMatchObject([
    {
      kind: "question_reworded",
      class: "results_affecting",
      elementId: text.id,
      affectedResponses: 5,
      before: "a",
      after: "A?",
    },
    { kind: "question_added", class: "safe", affectedResponses: 0 },
  ]);
  expect(changes[0]!.changeId).toMatch(/^[0-9a-f]{16}$/);
  const fresh = await fixture.create({ name: "New", questions: [question("a", { required: true })] });
  const first = await fixture.changes(fresh.surveyId);
  expect(first.summary).toMatchObject({ baseVersion: 0, class: "safe" });
  expect(new Set(first.changes.map((change) => change.class))).toEqual(new Set(["safe"]));
});

test("a change that affects results is published only when it is acknowledged", async () => {
  const { surveyId, reword } = await answeredSurvey();
  await reword("A?");
  const refused = await refusal(fixture.publish(surveyId));
  expect(refused).toMatchObject({
    code: "acknowledgement_required",
    details: { changes: [{ kind: "question_reworded", affectedResponses: 5 }] },
  });
  expect(await lockOf(surveyId)).toBeUndefined();
  const ids = (refused.details["changes"] as { changeId: string }[]).map(({ changeId }) => changeId);
  expect(await refusal(fixture.publish(surveyId, "*", {}, ["another"]))).toMatchObject({
    code: "acknowledgement_required",
  });
  // Acknowledged was this wording, not any.
  await reword("Really?");
  expect(await refusal(fixture.publish(surveyId, "*", {}, ids))).toMatchObject({ code: "acknowledgement_required" });
  await reword("A?");
  expect(await fixture.publish(surveyId, "*", {}, ids)).toMatchObject({ versionNumber: 2 });
});

test("a breaking change is refused with advice, acknowledged or not", async () => {
  const { surveyId, choice } = await answeredSurvey();
  await fixture.sql(`UPDATE elements SET type = 7, choices = NULL, type_settings = '{}' WHERE element_id = $1`, [
    choice.id,
  ]);
  await fixture.add(surveyId, { questions: [question("c")] });
  const { changes } = await fixture.changes(surveyId);
  const ids = changes.map(({ changeId }) => changeId);
  const refused = await refusal(fixture.publish(surveyId, "*", {}, ids));
  expect(refused).toMatchObject({
    code: "breaking_change",
    details: { advice: expect.stringContaining("new one"), changes: [{ class: "breaking", elementId: choice.id }] },
  });
  expect(await versionsOf(surveyId)).toHaveLength(1);
});

test("while one publishes, another is told who and until when, edits go on, and one version comes of it", async () => {
  const { surveyId, choice } = await answeredSurvey();
  await fixture.add(surveyId, { questions: [question("c")] });
  const holder = heldPublisher(surveyId);
  await holder.reached;
  expect(await lockOf(surveyId)).toMatchObject({ reason: "publishing", holder: "person0000000001" });
  expect(await refusal(fixture.publish(surveyId))).toMatchObject({
    code: "survey_locked",
    details: {
      reason: "publishing",
      holder: "person0000000001",
      expiresAt: new Date(now.getTime() + 15_000).toISOString(),
    },
  });
  // What would be refused anyway is told rather.
  expect(await refusal(fixture.publish(surveyId, '"stale"'))).toMatchObject({ code: "precondition_failed" });
  await fixture.add(surveyId, { questions: [question("d")] });
  expect(await holder.finish()).toBe(2);
  const [frozen] = await fixture.sql<{ question_count: number }>(
    "SELECT question_count FROM versions WHERE survey_id = $1 AND version_number = 2",
    [surveyId],
  );
  expect(frozen!.question_count).toBe(4);
  expect(await lockOf(surveyId)).toBeUndefined();
  expect(choice.id).toBeTypeOf("string");
});

test("an edit while answers are counted is judged too", async () => {
  const { surveyId, reword } = await answeredSurvey();
  await fixture.add(surveyId, { questions: [question("c")] });
  const holder = heldPublisher(surveyId);
  await holder.reached;
  await reword("Meanwhile?");
  expect(await holder.finish()).toBe("acknowledgement_required");
});

test("the lock of a publisher that died runs out, and the dead one publishes nothing any more", async () => {
  const { surveyId } = await answeredSurvey();
  await fixture.add(surveyId, { questions: [question("c")] });
  const dead = heldPublisher(surveyId);
  await dead.reached;
  expect(await refusal(fixture.publish(surveyId))).toMatchObject({ code: "survey_locked" });
  now = new Date(now.getTime() + 15_000);
  expect(await lockOf(surveyId)).toBeUndefined();
  expect(await fixture.publish(surveyId)).toMatchObject({ versionNumber: 2 });
  expect(["nothing_to_publish", "survey_locked"]).toContain(await dead.finish());
  expect(await versionsOf(surveyId)).toHaveLength(2);
});

test("a request that is repeated goes on with the lock of the first, which may have died", async () => {
  const { surveyId } = await answeredSurvey();
  await fixture.add(surveyId, { questions: [question("c")] });
  const { context } = idempotent("take-over", {});
  const dead = heldPublisher(surveyId, context);
  await dead.reached;
  expect(await fixture.publish(surveyId, "*", context)).toMatchObject({ versionNumber: 2 });
  // The first gets the answer of its repetition.
  expect(await dead.finish()).toBe(2);
  expect(await versionsOf(surveyId)).toHaveLength(2);
});

test("many that repeat one request at once make one version, and all who are answered get the same", async () => {
  const { surveyId } = await answeredSurvey();
  await fixture.add(surveyId, { questions: [question("c")] });
  const { etag } = await fixture.read(surveyId);
  const { context } = idempotent("at-once", {});
  const outcomes = await Promise.allSettled(Array.from({ length: 16 }, () => fixture.publish(surveyId, etag, context)));
  const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.versionId] : []));
  expect(new Set(answers).size).toBe(1);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "idempotency_in_progress" });
  }
  expect(await versionsOf(surveyId)).toHaveLength(2);
  expect(await lockOf(surveyId)).toBeUndefined();
});

test("without the response service nothing that was published is published again, and no lock stays", async () => {
  await using alone = await startSurveyFixture();
  const { surveyId } = await alone.create({ name: "Alone", questions: [question("a")] });
  await alone.stopResponseService();
  expect(await alone.publish(surveyId)).toMatchObject({ versionNumber: 1 });
  expect(await refusal(alone.publish(surveyId))).toMatchObject({ code: "nothing_to_publish" });
  await alone.add(surveyId, { questions: [question("b")] });
  expect(await refusal(alone.publish(surveyId))).toMatchObject({ code: "service_unavailable" });
  expect((await alone.client.getLock({ surveyId }, person)).lock).toBeUndefined();
  expect(await alone.client.getDraft({ surveyId }, person)).toMatchObject({ state: "dirty", changeCount: 1 });
});

test("versions are listed newest first, page by page, and read as they were frozen", async () => {
  const { surveyId } = await fixture.create({ name: "Listed", questions: [question("a")] });
  const published = [await fixture.publish(surveyId)];
  for (const text of ["b", "c"]) {
    await fixture.add(surveyId, { questions: [question(text)] });
    published.push(await fixture.publish(surveyId));
  }
  const list = (limit: number, cursor = "") => fixture.client.listVersions({ surveyId, limit, cursor }, person);
  const first = await list(2);
  expect(first).toMatchObject({
    hasMore: true,
    versions: [{ versionNumber: 3, questionCount: 3 }, { versionNumber: 2 }],
  });
  const rest = await list(2, first.nextCursor);
  expect(rest).toMatchObject({ hasMore: false, nextCursor: "", versions: [{ versionNumber: 1 }] });
  const { versionId } = published[0]!;
  const snapshot = await fixture.client.getVersion({ surveyId, versionId }, person);
  expect(snapshot.version).toMatchObject({ versionId, versionNumber: 1, publishedBy: "person0000000001" });
  const collected = await fixture.client.batchGetVersions({
    versions: [{ workspaceId: "workspace0000001", surveyId, versionId }],
  });
  expect(snapshot.definitionJson).toBe(collected.versions[0]!.definitionJson);
  expect(await fixture.client.getVersion({ surveyId, versionId }, person)).toEqual(snapshot);
});

test("reads are refused as they should be", async () => {
  const { surveyId, versionId } = await answeredSurvey();
  const absent = "0000000000000000";
  const { client } = fixture;
  const changes = async (id: string, options = person) => {
    for await (const _ of client.streamChanges({ surveyId: id }, options)) continue;
  };
  const limit = 10;
  const table: [() => Promise<unknown>, string][] = [
    [() => client.getDraft({ surveyId: absent }, person), "survey_not_found"],
    [() => client.getDraft({ surveyId }, foreign), "survey_not_found"],
    [() => client.validateDraft({ surveyId: "no id" }, person), "survey_not_found"],
    [() => client.validateDraft({ surveyId }, foreign), "survey_not_found"],
    [() => changes(absent), "survey_not_found"],
    [() => changes(surveyId, foreign), "survey_not_found"],
    [() => client.getLock({ surveyId: absent }, person), "survey_not_found"],
    [() => client.getLock({ surveyId }, foreign), "survey_not_found"],
    [() => client.listVersions({ surveyId: absent, limit }, person), "survey_not_found"],
    [() => client.listVersions({ surveyId, limit }, foreign), "survey_not_found"],
    [() => client.listVersions({ surveyId, limit: 0 }, person), "validation_failed"],
    [() => client.listVersions({ surveyId, limit, cursor: "made up" }, person), "validation_failed"],
    [() => client.getVersion({ surveyId: absent, versionId }, person), "survey_not_found"],
    [() => client.getVersion({ surveyId, versionId }, foreign), "survey_not_found"],
    [() => client.getVersion({ surveyId, versionId: absent }, person), "version_not_found"],
    [() => client.getVersion({ surveyId, versionId: "no id" }, person), "version_not_found"],
  ];
  for (const [index, [call, code]] of table.entries()) {
    expect(await refusal(call()), `row ${index}`).toMatchObject({ code });
  }
});
