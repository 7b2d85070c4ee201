import { callOptions } from "@canvass/rpc";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { idempotent, question, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

let now = new Date("2026-03-01T12:00:00Z");
const later = (minutes: number) => (now = new Date(now.getTime() + minutes * 60_000));
const person = callOptions({ signedCaller: signedPerson() });

const fixture = await sharedByFile(startSurveyFixture({ now: () => now }));

const reasons = async (surveyId: string) => (await fixture.backups(surveyId)).map(({ reason }) => reason);
const restoreBackup = (surveyId: string, backupId: string, ifMatch = "*") =>
  fixture.client.restoreBackup({ surveyId, backupId, ifMatch: [ifMatch] }, person);
const restoreVersion = (surveyId: string, versionId: string, ifMatch = "*") =>
  fixture.client.restoreVersion({ surveyId, versionId, ifMatch: [ifMatch] }, person);

/** The draft as it is stored, to the byte. */
async function storedDraft(surveyId: string): Promise<unknown[]> {
  const pages = `SELECT page_id, sort_order, title, loop::text, skip_logic::text FROM pages WHERE survey_id = $1 ORDER BY 2`;
  const elements = `SELECT element_id, page_id, sort_order, question_id, type, question_text, help_text, type_settings::text,
    response_validation::text, choices::text, rows::text, columns::text, cells, bytes
    FROM elements WHERE survey_id = $1 ORDER BY page_id, sort_order`;
  return [await fixture.sql(pages, [surveyId]), await fixture.sql(elements, [surveyId])];
}

const rich = [
  question("a"),
  { type: "multiple_choice", text: "b", choices: ["1", "2"], multipleAnswers: true },
  { type: "dropdown_matrix", text: "c", pageTitle: "Two", rows: ["r"], columns: [{ text: "c", options: ["x", "y"] }] },
  { type: "rating", text: "d", helpText: "stars" },
];

test("a write whose newest backup is older than ten minutes backs the draft up first", async () => {
  const { surveyId } = await fixture.create({ name: "Schedule", questions: [question("a")] });
  const add = () => fixture.add(surveyId, { questions: [question("more")] });
  later(9);
  await add();
  expect(await fixture.backups(surveyId)).toEqual([]);
  later(1);
  await add();
  expect(await fixture.backups(surveyId)).toMatchObject([{ reason: "auto", questionCount: 2 }]);
  later(9);
  await add();
  const { elementId } = (await add())[0]!;
  expect(await reasons(surveyId)).toEqual(["auto"]);
  // Every kind of edit backs up.
  later(10);
  await fixture.remove(elementId);
  later(10);
  const pageId = (await fixture.pages(surveyId))[0]!.pageId;
  await fixture.patchPage(surveyId, pageId, { title: "T" });
  later(10);
  const ids = (await fixture.elements(surveyId)).map(({ id }) => id as string);
  await fixture.order(surveyId, pageId, ids.toReversed());
  expect((await fixture.backups(surveyId)).map(({ questionCount }) => questionCount)).toEqual([4, 4, 5, 2]);
  // The survey's own fields are not part of the draft.
  later(10);
  await fixture.patch(surveyId, "*", { name: "Renamed" });
  expect(await reasons(surveyId)).toHaveLength(4);
});

test("backups are made by hand, once per key, and the newest thirty are kept", async () => {
  const { surveyId, etag } = await fixture.create({ name: "Many", questions: [question("a")] });
  const { context, replays } = idempotent("backup-1", {});
  const first = await fixture.client.createBackup({ surveyId }, callOptions(context));
  expect(await fixture.client.createBackup({ surveyId }, callOptions(context))).toEqual(first);
  expect(replays).toHaveLength(1);
  for (let count = 0; count < 31; count++) {
    later(0.001);
    await fixture.client.createBackup({ surveyId }, person);
  }
  const backups = await fixture.backups(surveyId);
  expect(backups).toHaveLength(30);
  expect(backups.map(({ backupId }) => backupId)).not.toContain(first.backup!.backupId);
  expect(backups[0]!.createdAt).toEqual(expect.objectContaining({ seconds: BigInt(Math.floor(now.getTime() / 1000)) }));
  expect((await fixture.read(surveyId)).etag).toBe(etag);
});

test("after the clock was set back, new backups are kept, not the oldest of those ahead, and edits are backed up", async () => {
  const { surveyId } = await fixture.create({ name: "Set back", questions: [question("a")] });
  const backUp = async () => (await fixture.client.createBackup({ surveyId }, person)).backup!.backupId;
  const setBackTo = now;
  later(60);
  const ahead: string[] = [];
  for (let count = 0; count < 30; count++) {
    later(0.001);
    ahead.push(await backUp());
  }
  const reached = now;
  now = setBackTo;
  const first = await backUp();
  later(9);
  await fixture.add(surveyId, { questions: [question("b")] });
  later(1);
  await fixture.add(surveyId, { questions: [question("c")] });
  const second = await backUp();
  const left = await fixture.backups(surveyId);
  expect(left.map(({ reason }) => reason).filter((reason) => reason === "auto")).toHaveLength(1);
  const made = left.filter(({ reason }) => reason === "manual").map(({ backupId }) => backupId);
  expect(made).toEqual([...ahead.slice(3).toReversed(), second, first]);
  now = reached;
});

test("a draft comes back byte for byte from a backup, and the draft before it from the backup that restoring made", async () => {
  const { surveyId } = await fixture.create({ name: "Round trip", questions: rich });
  const pageId = (await fixture.pages(surveyId))[0]!.pageId;
  const skipLogic = [
    { when: { elementId: (await fixture.elements(surveyId))[0]!["id"], operator: "answered" }, goTo: "end" },
  ];
  await fixture.patchPage(surveyId, pageId, { skipLogic });
  const before = await storedDraft(surveyId);
  const { backup } = await fixture.client.createBackup({ surveyId }, person);
  const [first, second] = await fixture.elements(surveyId);
  await fixture.remove(second!["id"]);
  const body = { settings: { typeSettings: {}, responseValidation: {} }, questionText: "New" };
  await fixture.edit(first!["id"], { edit: "settings", body });
  await fixture.add(surveyId, { questions: [question("e", { pageTitle: "Three" })] });
  const edited = await storedDraft(surveyId);
  expect(edited).not.toEqual(before);

  const { draft } = await restoreBackup(surveyId, backup!.backupId);
  expect(draft).toMatchObject({ questionCount: 4, hasUnpublishedChanges: true, backup: { reason: "before_restore" } });
  expect(await storedDraft(surveyId)).toEqual(before);
  expect(await fixture.read(surveyId)).toMatchObject({ questionCount: 4, etag: draft!.etag });
  await restoreBackup(surveyId, draft!.backup!.backupId, draft!.etag);
  expect(await storedDraft(surveyId)).toEqual(edited);
});

test("a restore keeps the tag of unchanged elements; changed and restored ones get a new tag", async () => {
  const { surveyId } = await fixture.create({ name: "Tags", questions: [question("a"), question("b"), question("c")] });
  const ids = (await fixture.elements(surveyId)).map(({ id }) => id as string);
  const tags = () => Promise.all(ids.map(async (id) => (await fixture.element(id)).etag));
  const first = await tags();
  const { backup } = await fixture.client.createBackup({ surveyId }, person);
  await fixture.remove(ids[1]!);
  const moved = (await fixture.element(ids[2]!)).etag;
  await restoreBackup(surveyId, backup!.backupId);
  const second = await tags();
  expect(second[0]).toBe(first[0]);
  expect(second[1]).not.toBe(first[1]);
  expect([first[2], moved]).not.toContain(second[2]);
});

test("a version comes back into the draft alone; the published one leaves nothing to publish", async () => {
  const { surveyId } = await fixture.create({ name: "Versions", questions: rich });
  const original = await storedDraft(surveyId);
  const one = await fixture.publish(surveyId);
  const [first] = await fixture.elements(surveyId);
  await fixture.remove(first!["id"]);
  const two = await fixture.publish(surveyId);
  await restoreVersion(surveyId, one.versionId);
  expect(await storedDraft(surveyId)).toEqual(original);
  expect(await fixture.read(surveyId)).toMatchObject({ publishedVersion: 2, hasUnpublishedChanges: true });
  const restored = await restoreVersion(surveyId, two.versionId);
  expect(restored.draft).toMatchObject({ hasUnpublishedChanges: false, questionCount: 3 });
  expect(await refusal(fixture.publish(surveyId))).toMatchObject({ code: "nothing_to_publish" });
  expect(await reasons(surveyId)).toEqual(["before_restore", "before_restore", "before_publish", "before_publish"]);
});

test("an answered question that a restored draft does not have is retired, and restored by a draft that has it", async () => {
  const { surveyId } = await fixture.create({ name: "Retired", questions: [question("a")] });
  const one = await fixture.publish(surveyId);
  const [added, unanswered] = await fixture.add(surveyId, { questions: [question("b"), question("c")] });
  await fixture.publish(surveyId);
  fixture.answers.set(added!.questionId, { respondents: 3 });
  const { draft } = await restoreVersion(surveyId, one.versionId);
  expect(await refusal(fixture.element(added!.elementId))).toMatchObject({
    code: "element_retired",
    details: { responses: 3 },
  });
  expect(await refusal(fixture.element(unanswered!.elementId))).toMatchObject({ code: "element_not_found" });
  await restoreBackup(surveyId, draft!.backup!.backupId);
  expect((await fixture.element(added!.elementId)).elementId).toBe(added!.elementId);
  expect(await fixture.sql("SELECT 1 FROM retired_elements WHERE survey_id = $1", [surveyId])).toEqual([]);
});

test("an answered choice that a restored question lacks is retired with its code, also of an element that comes back", async () => {
  const choices = ["10", "20"].map((code) => ({ text: code, code }));
  const { surveyId } = await fixture.create({ name: "Codes", questions: [{ type: "dropdown", text: "a", choices }] });
  const one = await fixture.publish(surveyId);
  const { id, questionId } = (await fixture.elements(surveyId))[0] as { id: string; questionId: string };
  const add = (newTitle: string, code: string) =>
    fixture.edit(id, { edit: "choice", body: { choiceId: null, questionId, newTitle, code } });
  const [answered] = (await add("30", "30")).addedIds;
  await add("40", "40");
  const two = await fixture.publish(surveyId);
  fixture.answers.set(questionId, { respondents: 2, entries: { [answered!]: 2 } });
  const shown = async () => (await fixture.element(id)).choices.map(({ text, code, retired }) => [text, code, retired]);
  const kept = [
    ["10", "10", false],
    ["20", "20", false],
    ["30", "30", true],
  ];
  await restoreVersion(surveyId, one.versionId);
  expect(await shown()).toEqual(kept);
  expect(await refusal(add("Other", "30"))).toMatchObject({ details: { code: ["is the code of another entry"] } });
  await fixture.remove(id);
  await restoreVersion(surveyId, one.versionId);
  expect(await shown()).toEqual(kept);
  const restored = await restoreVersion(surveyId, two.versionId);
  expect(restored.draft).toMatchObject({ hasUnpublishedChanges: false });
});

test("an answered choice of a question that carries choices now is retired when one with its own comes back", async () => {
  const { surveyId } = await fixture.create({ name: "Carried" });
  const [source, element] = await fixture.add(surveyId, {
    questions: [
      { type: "dropdown", text: "Which?", choices: ["x", "y"] },
      { type: "dropdown", text: "Best?", choices: [{ text: "10", code: "10" }] },
    ],
  });
  const one = await fixture.publish(surveyId);
  const { elementId, questionId } = element!;
  const body = { choiceId: null, questionId, newTitle: "20", code: "20" };
  const [answered] = (await fixture.edit(elementId, { edit: "choice", body })).addedIds;
  await fixture.publish(surveyId);
  const choicesFrom = { elementId: source!.elementId, which: "shown" };
  await fixture.edit(elementId, { edit: "settings", body: { settings: {}, choicesFrom } });
  fixture.answers.set(questionId, { respondents: 1, entries: { [answered!]: 1 } });
  await restoreVersion(surveyId, one.versionId);
  const { choices } = await fixture.element(elementId);
  expect(choices.map(({ code, retired }) => [code, retired])).toEqual([
    ["10", false],
    ["20", true],
  ]);
});

test("an answered question that another restoration brings back while answers are counted is retired", async () => {
  const { surveyId } = await fixture.create({ name: "Beside", questions: [question("a")] });
  const one = await fixture.publish(surveyId);
  const [answered] = await fixture.add(surveyId, { questions: [question("b")] });
  const two = await fixture.publish(surveyId);
  await restoreVersion(surveyId, one.versionId);
  await fixture.publish(surveyId);
  fixture.answers.set(answered!.questionId, { respondents: 3 });
  const [unanswered] = await fixture.add(surveyId, { questions: [question("c")] });
  fixture.counting.before = async () => {
    fixture.counting.before = async () => {};
    await restoreVersion(surveyId, two.versionId);
  };
  await restoreVersion(surveyId, one.versionId);
  expect(await refusal(fixture.element(answered!.elementId))).toMatchObject({ code: "element_retired" });
  expect(await refusal(fixture.element(unanswered!.elementId))).toMatchObject({ code: "element_not_found" });
});

test("a restore is done once per key, and a repetition calls no other service", async () => {
  await using alone = await startSurveyFixture();
  const { surveyId } = await alone.create({ name: "Once", questions: [question("a")] });
  const { versionId } = await alone.publish(surveyId);
  await alone.add(surveyId, { questions: [question("b")] });
  const { context } = idempotent("restore-1", {});
  const request = { surveyId, versionId, ifMatch: ["*"] };
  const first = await alone.client.restoreVersion(request, callOptions(context));
  await alone.stopResponseService();
  expect(await alone.client.restoreVersion(request, callOptions(context))).toEqual(first);
  const restores = (await alone.backups(surveyId)).filter(({ reason }) => reason === "before_restore");
  expect(restores).toHaveLength(1);
});

test("missing and foreign surveys and backups, stale tags and a small plan are refused, and nothing is written", async () => {
  const { surveyId, etag } = await fixture.create({ name: "Refused", questions: rich });
  const { versionId } = await fixture.publish(surveyId);
  const { backup } = await fixture.client.createBackup({ surveyId }, person);
  const { backupId } = backup!;
  const absent = "0000000000000000";
  const before = [await storedDraft(surveyId), await fixture.read(surveyId), await reasons(surveyId)];
  const foreign = callOptions({ signedCaller: signedPerson({ workspaceId: "workspace0000002" }) });
  const free = callOptions({ signedCaller: signedPerson({ plan: "free" }) });
  const many = await fixture.create({ name: "Eleven", questions: Array.from({ length: 11 }, () => question("q")) });
  const eleven = await fixture.client.createBackup({ surveyId: many.surveyId }, person);
  const { client } = fixture;
  const ifMatch = ["*"];
  const table: [() => Promise<unknown>, string][] = [
    [() => client.restoreBackup({ surveyId: absent, backupId, ifMatch }, person), "survey_not_found"],
    [() => client.restoreBackup({ surveyId, backupId, ifMatch }, foreign), "survey_not_found"],
    [() => client.restoreBackup({ surveyId, backupId: absent, ifMatch: ['"stale"'] }, person), "backup_not_found"],
    [() => client.restoreBackup({ surveyId, backupId: "no id", ifMatch }, person), "backup_not_found"],
    [() => client.restoreBackup({ surveyId, backupId: eleven.backup!.backupId, ifMatch }, person), "backup_not_found"],
    [() => client.restoreBackup({ surveyId, backupId, ifMatch: [] }, person), "precondition_required"],
    [() => client.restoreBackup({ surveyId, backupId, ifMatch: [etag] }, person), "precondition_failed"],
    [() => client.restoreVersion({ surveyId: absent, versionId, ifMatch }, person), "survey_not_found"],
    [() => client.restoreVersion({ surveyId, versionId: backupId, ifMatch }, person), "version_not_found"],
    [() => client.restoreVersion({ surveyId, versionId, ifMatch: [etag] }, person), "precondition_failed"],
    [() => client.listBackups({ surveyId: absent }, person), "survey_not_found"],
    [() => client.listBackups({ surveyId }, foreign), "survey_not_found"],
    [() => client.createBackup({ surveyId: absent }, person), "survey_not_found"],
    [() => client.createBackup({ surveyId }, foreign), "survey_not_found"],
  ];
  for (const [index, [call, code]] of table.entries()) {
    expect(await refusal(call()), `row ${index}`).toMatchObject({ code });
  }
  await fixture.remove((await fixture.elements(many.surveyId))[0]!["id"]);
  const tooMany = client.restoreBackup({ surveyId: many.surveyId, backupId: eleven.backup!.backupId, ifMatch }, free);
  expect(await refusal(tooMany)).toEqual({
    code: "quota_exceeded",
    details: { limit: 10, requested: 11, required_plan: "starter" },
  });
  expect([await storedDraft(surveyId), await fixture.read(surveyId), await reasons(surveyId)]).toEqual(before);
});

test("a plan that became too small refuses to restore more questions than there are, not fewer or as many", async () => {
  const free = callOptions({ signedCaller: signedPerson({ plan: "free" }) });
  const questions = (count: number) => Array.from({ length: count }, () => question("q"));
  const { surveyId } = await fixture.create({ name: "Downgraded", questions: questions(12) });
  const { versionId } = await fixture.publish(surveyId);
  await fixture.add(surveyId, { questions: questions(1) });
  const thirteen = (await fixture.client.createBackup({ surveyId }, person)).backup!.backupId;
  const ifMatch = ["*"];
  const restored = await fixture.client.restoreVersion({ surveyId, versionId, ifMatch }, free);
  expect(restored.draft).toMatchObject({ questionCount: 12 });
  await fixture.client.restoreVersion({ surveyId, versionId, ifMatch }, free);
  const more = fixture.client.restoreBackup({ surveyId, backupId: thirteen, ifMatch }, free);
  expect(await refusal(more)).toMatchObject({ code: "quota_exceeded", details: { limit: 10, requested: 13 } });
});

test("sixteen concurrent writers leave positions without gaps, and every restoration is backed up", async () => {
  const { surveyId } = await fixture.create({ name: "Race", questions: rich });
  const { backup } = await fixture.client.createBackup({ surveyId }, person);
  const { versionId } = await fixture.publish(surveyId);
  const writes = [
    () => fixture.add(surveyId, { questions: [question("x", { pageTitle: "P" })] }),
    () => restoreBackup(surveyId, backup!.backupId),
    () => restoreVersion(surveyId, versionId),
    () => fixture.publish(surveyId),
  ];
  const outcomes = await Promise.allSettled(Array.from({ length: 16 }, (_, index) => writes[index % 4]!()));
  const codes = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [(outcome.reason as { code: string }).code] : [],
  );
  for (const code of codes) expect(["nothing_to_publish", "survey_locked"]).toContain(code);
  const [pages, elements] = (await storedDraft(surveyId)) as [
    { page_id: string; sort_order: number }[],
    { page_id: string; sort_order: number }[],
  ];
  expect(pages.map(({ sort_order }) => sort_order)).toEqual(pages.map((_, index) => index + 1));
  for (const { page_id } of pages) {
    const orders = elements.filter((element) => element.page_id === page_id).map(({ sort_order }) => sort_order);
    expect(orders).toEqual(orders.map((_, index) => index + 1));
  }
  expect((await fixture.read(surveyId)).questionCount).toBe(elements.length);
  expect((await reasons(surveyId)).filter((reason) => reason === "before_restore")).toHaveLength(8);
});
