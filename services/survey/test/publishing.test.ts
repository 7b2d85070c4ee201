import { timestampDate } from "@bufbuild/protobuf/wkt";
import { callOptions } from "@canvass/rpc";
import { waitFor } from "@canvass/testing";
import { typeNames } from "@canvass/questions";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import {
  idempotent,
  question,
  refusal,
  signedPerson,
  startSurveyFixture,
  type SurveyFixture,
} from "./survey-fixture.ts";

let now = new Date("2026-03-01T12:00:00Z");
const person = callOptions({ signedCaller: signedPerson() });
const asEnterprise = { signedCaller: signedPerson({ plan: "enterprise" }) };
const foreign = callOptions({ signedCaller: signedPerson({ workspaceId: "workspace0000002" }) });

const fixture = await sharedByFile(startSurveyFixture({ now: () => now }));
beforeEach(() => {
  fixture.counting.before = async () => {};
});

/** A published survey of a text and a choice question, answered by five. */
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
    const body = { settings: { typeSettings: {}, responseValidation: {} }, questionText };
    return fixture.edit(text.id, { edit: "settings", body });
  };
  return { surveyId, versionId, text, choice, reword };
}

const getDraft = (surveyId: string) => fixture.client.getDraft({ surveyId }, person);
const lockOf = async (surveyId: string) => (await fixture.client.getLock({ surveyId }, person)).lock;
const versionsOf = (surveyId: string) =>
  fixture.sql<{ version_number: number }>("SELECT version_number FROM versions WHERE survey_id = $1", [surveyId]);

/** Starts a publication, which holds the lock and waits before it counts answers until `finish` is called. */
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

test("a draft is in the state never_published, clean or dirty, and clean again once an edit is undone", async () => {
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

/** Returns whether there is something to publish, as the survey, the draft, the changes and publishing itself tell. */
async function hasChanges(surveyId: string): Promise<boolean[]> {
  const [{ hasUnpublishedChanges }, { state, changeCount }] = [await fixture.read(surveyId), await getDraft(surveyId)];
  const { changes } = await fixture.changes(surveyId);
  expect(changeCount).toBe(changes.length);
  const told = [hasUnpublishedChanges, state === "dirty", changes.length > 0];
  if (hasUnpublishedChanges) return told;
  return [...told, (await refusalOrVersion(fixture.publish(surveyId))) !== "nothing_to_publish"];
}

test("an undone edit leaves nothing to publish, in all responses", async () => {
  const { surveyId } = await fixture.create({
    name: "Undone",
    questions: [
      { type: "multiple_choice", text: "a", choices: ["1", "2", "3"], pageTitle: "One" },
      question("b"),
      { type: "rating", text: "c", pageTitle: "Two" },
    ],
  });
  const { versionId } = await fixture.publish(surveyId);
  const [a, b, c] = (await fixture.elements(surveyId)) as { id: string; questionId: string; pageId: string }[];
  const choices = (await fixture.element(a!.id)).choices.map(({ id }) => id);
  const settings = (id: string, body: object) =>
    fixture.edit(id, { edit: "settings", body: { settings: {}, ...body } });
  const choose = (newTitle: string) =>
    fixture.edit(a!.id, { edit: "choice", body: { choiceId: choices[0]!, questionId: a!.questionId, newTitle } });
  const orderChoices = (choiceIds: string[]) => fixture.edit(a!.id, { edit: "choiceOrder", body: { choiceIds } });
  const rule = { when: { elementId: b!.id, operator: "answered" }, goTo: "end" };
  const patch = (body: object) => fixture.patchPage(surveyId, a!.pageId, body);
  const rate = (steps: number) => fixture.edit(c!.id, { edit: "ratingSettings", body: { steps } });
  const restore = () => fixture.client.restoreVersion({ surveyId, versionId, ifMatch: ["*"] }, person);
  const table: [edit: () => Promise<unknown>, undo: () => Promise<unknown>][] = [
    [() => settings(b!.id, { questionText: "B" }), () => settings(b!.id, { questionText: "b" })],
    [() => settings(b!.id, { helpText: "" }), () => settings(b!.id, { helpText: null })],
    [() => rate(7), () => rate(5)],
    [() => choose("one"), () => choose("1")],
    [() => orderChoices(choices.toReversed()), () => orderChoices(choices)],
    [
      () => fixture.order(surveyId, a!.pageId, [b!.id, a!.id]),
      () => fixture.order(surveyId, a!.pageId, [a!.id, b!.id]),
    ],
    [
      () => fixture.order(surveyId, c!.pageId, [b!.id, c!.id]),
      async () => {
        await fixture.order(surveyId, a!.pageId, [a!.id, b!.id]);
      },
    ],
    [() => patch({ title: "First" }), () => patch({ title: "One" })],
    [() => patch({ title: null }), () => patch({ title: "One" })],
    [() => patch({ skipLogic: [rule] }), () => patch({ skipLogic: [] })],
    [() => fixture.remove(b!.id), restore],
    [() => rate(3), restore],
  ];
  for (const [index, [edit, undo]] of table.entries()) {
    await edit();
    expect(await hasChanges(surveyId), `edit ${index}`).toEqual([true, true, true]);
    await fixture.patch(surveyId, "*", { name: `Still ${index}` });
    expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(true);
    await undo();
    expect(await hasChanges(surveyId), `undo ${index}`).toEqual([false, false, false, false]);
  }
  const [added] = await fixture.add(surveyId, { questions: [question("d", { pageTitle: "Three" })] });
  await fixture.remove(added!.elementId);
  // The page is still there, and empty: publishing would drop it.
  expect(await hasChanges(surveyId)).toEqual([false, false, false, false]);
});

test("the migration gives versions the digests that publishing computes", async () => {
  const { surveyId } = await fixture.create({
    name: "Digests",
    questions: [
      ...typeNames.map((type) => ({
        type,
        text: `It's a ${type} "\\" question`,
        helpText: type === "nps" ? "" : null,
      })),
      { type: "rating", text: "looped", pageTitle: "It's" },
    ].map((each) => (each.type === "multiple_choice" ? { ...each, multipleAnswers: true } : each)),
  });
  const elements = await fixture.elements(surveyId);
  const [choice, last] = [elements.find(({ typeName }) => typeName === "multiple_choice")!, elements.at(-1)!];
  const skipLogic = [{ when: { elementId: choice["id"], operator: "answered" }, goTo: "end" }];
  await fixture.patchPage(surveyId, last["pageId"], { loop: { elementId: choice["id"] }, skipLogic });
  const { versionId } = await fixture.publish(surveyId);
  const digest = async () =>
    (await fixture.sql<{ digest: string }>("SELECT digest FROM versions WHERE survey_id = $1", [surveyId]))[0]!.digest;
  const computed = await digest();
  expect(computed).toMatch(/^[0-9a-f]{32}$/);
  const file = join(import.meta.dirname, "../prisma/migrations/20261122063000_digest_drafts/migration.sql");
  const statements = (await readFile(file, "utf8")).split(";").filter((each) => each.includes('UPDATE "'));
  expect(statements).toHaveLength(2);
  const { definitionJson } = await fixture.client.getVersion({ surveyId, versionId }, person);
  await fixture.sql("ALTER TABLE versions ADD COLUMN definition jsonb");
  await fixture.sql("UPDATE versions SET digest = NULL, definition = $2 WHERE survey_id = $1", [
    surveyId,
    definitionJson,
  ]);
  await fixture.sql("UPDATE surveys SET draft_changed = true WHERE survey_id = $1", [surveyId]);
  for (const statement of statements) await fixture.sql(statement);
  await fixture.sql("ALTER TABLE versions DROP COLUMN definition");
  expect(await digest()).toBe(computed);
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(false);
});

test("an empty page in a version from before publishing dropped them is no change", async () => {
  const { surveyId, reword } = await answeredSurvey();
  const emptyPage = { pageId: "page000000000001", title: "Empty", loop: null, skipLogic: [], elements: [] };
  await fixture.sql("UPDATE versions SET layout = jsonb_insert(layout, '{pages,0}', $2) WHERE survey_id = $1", [
    surveyId,
    JSON.stringify(emptyPage),
  ]);
  expect((await fixture.changes(surveyId)).changes).toEqual([]);
  expect(await getDraft(surveyId)).toMatchObject({ state: "clean", changeCount: 0 });
  await reword("another");
  expect((await fixture.changes(surveyId)).changes.map(({ kind }) => kind)).not.toContain("page_removed");
});

test("the draft counts as many changes as are listed, also after a reordering of answered questions", async () => {
  const { surveyId } = await fixture.create({
    name: "Order",
    questions: ["a", "b", "c", "d", "e"].map((text) => question(text)),
  });
  await fixture.publish(surveyId);
  const elements = (await fixture.elements(surveyId)) as { id: string; questionId: string; pageId: string }[];
  const ids = elements.map(({ id }) => id);
  for (const { questionId } of elements.slice(0, 2)) fixture.answers.set(questionId, { respondents: 3 });
  const orders = [
    ids.toReversed(),
    [...ids.slice(1), ids[0]!],
    [ids[1]!, ids[0]!, ...ids.slice(2)],
    [...ids.slice(2), ids[0]!, ids[1]!],
  ];
  for (const order of orders) {
    await fixture.order(surveyId, elements[0]!.pageId, order);
    const { changes } = await fixture.changes(surveyId);
    expect(changes.length).toBeGreaterThan(0);
    expect(await getDraft(surveyId)).toMatchObject({ state: "dirty", changeCount: changes.length });
  }
});

test("retiring or deleting a choice removes the rules that compare with it; none may name a retired one", async () => {
  const { surveyId } = await fixture.create({
    name: "Rules",
    questions: [{ type: "multiple_choice", text: "a", choices: ["1", "2", "3"] }, question("b", { pageTitle: "Two" })],
  });
  const [asked] = (await fixture.elements(surveyId)) as { id: string; pageId: string }[];
  const [one, two, three] = (await fixture.element(asked!.id)).choices.map(({ id }) => id) as [string, string, string];
  const when = (value: string, operator = "equals") => ({
    when: { elementId: asked!.id, operator, value },
    goTo: "end",
  });
  const patch = (skipLogic: object[]) => fixture.patchPage(surveyId, asked!.pageId, { skipLogic });
  const rules = async () => (JSON.parse((await fixture.pages(surveyId))[0]!.skipLogicJson) as object[]).length;
  await patch([when(one), when(two), when(two, "not_equals"), when(three)]);
  const remove = (choiceId: string) => fixture.edit(asked!.id, { edit: "deleteChoice", body: { choiceId } });
  expect(await remove(one)).toMatchObject({ removedIds: [one] });
  expect(await rules()).toBe(3);
  fixture.answers.set((await fixture.element(asked!.id)).questionId, { respondents: 1, entries: { [two]: 1 } });
  expect(await remove(two)).toMatchObject({ retiredIds: [two] });
  expect(await rules()).toBe(1);
  expect(await refusal(patch([when(three), when(two)]))).toMatchObject({
    code: "validation_failed",
    details: { "skipLogic.1.when.value": [`names a choice that has been retired (${two})`] },
  });
  const { valid } = await fixture.client.validateDraft({ surveyId }, person);
  expect(valid).toBe(true);
});

test("the id of a set of changes acknowledges exactly these, for any number of changes", async () => {
  const { surveyId, reword } = await answeredSurvey();
  await reword("A?");
  const seen = (await fixture.changes(surveyId)).summary.changesId;
  expect(seen).toMatch(/^[0-9a-f]{16}$/);
  await reword("Something else?");
  expect(await refusal(fixture.publish(surveyId, "*", {}, [seen]))).toMatchObject({ code: "acknowledgement_required" });
  await reword("A?");
  expect(await fixture.publish(surveyId, "*", {}, [seen])).toMatchObject({ versionNumber: 2 });
});

test("the largest survey with everything changed and answered is published", async () => {
  const texts = (...names: string[]) => names.map((name) => ({ text: name }));
  const matrix = {
    type: "dropdown_matrix",
    text: "m",
    rows: ["r", "s"],
    columns: texts("c", "d").map((column) => ({ ...column, options: ["x", "y"] })),
  };
  const { surveyId } = await fixture.create(
    { name: "Largest", questions: Array.from({ length: 1_000 }, () => matrix) },
    asEnterprise,
  );
  await fixture.publish(surveyId, "*", asEnterprise);
  // By SQL, because a thousand edits take long: each list gets one more entry, another order and other texts.
  const turned = (
    list: string,
    more: string,
  ) => `(SELECT jsonb_agg(e.value || jsonb_build_object('text', 'new') ORDER BY e.position DESC)
    FROM jsonb_array_elements(${list}) WITH ORDINALITY AS e (value, position)) || ${more}`;
  const entry = (id: string) => `jsonb_build_object('id', '${id}'::text, 'text', 'more', 'retired', false)`;
  await fixture.sql(
    `UPDATE elements SET question_text = 'n', response_validation = '{"required": true}',
       type_settings = type_settings || '{"eachRowRequired": true}', rows = ${turned("rows", entry("00000000000more1"))},
       columns = (SELECT jsonb_agg(c.value || jsonb_build_object('text', 'new', 'options',
         ${turned("c.value -> 'options'", entry("00000000000more2"))}) ORDER BY c.position DESC)
         FROM jsonb_array_elements(columns) WITH ORDINALITY AS c (value, position))
         || (${entry("00000000000more3")} || '{"options": []}')
     WHERE survey_id = $1`,
    [surveyId],
  );
  const questions = await fixture.sql<{ question_id: string; element_id: string; page_id: string; ids: string[] }>(
    `SELECT question_id, element_id, page_id, array(SELECT jsonb_path_query(jsonb_build_array(rows, columns), '$.**.id') #>> '{}') AS ids
     FROM elements WHERE survey_id = $1 ORDER BY sort_order`,
    [surveyId],
  );
  for (const { question_id, ids } of questions)
    fixture.answers.set(question_id, { respondents: 9, entries: Object.fromEntries(ids.map((id) => [id, 9])) });
  const reversed = questions.map(({ element_id }) => element_id).toReversed();
  await fixture.order(surveyId, questions[0]!.page_id, reversed, asEnterprise);
  const { summary, changes } = await fixture.changes(surveyId);
  expect([summary.class, changes.length > 10_000]).toEqual(["results_affecting", true]);
  expect(await getDraft(surveyId)).toMatchObject({ changeCount: changes.length });
  expect(await refusal(fixture.publish(surveyId, "*", asEnterprise))).toMatchObject({
    code: "acknowledgement_required",
  });
  expect(await fixture.publish(surveyId, "*", asEnterprise, [summary.changesId])).toMatchObject({ versionNumber: 2 });
});

test("a question may not ask for larger files than the installation takes", async () => {
  const asks = (maxSizeMb: number) => ({ ...question("f"), type: "file_upload", typeSettings: { maxSizeMb } });
  const { surveyId } = await fixture.create({ name: "Films", questions: [asks(100), asks(100.5)] });
  const path = "pages.0.elements.1.typeSettings.maxSizeMb";
  const message = "must be at most 100, as much as this installation takes";
  const { issues } = await fixture.client.validateDraft({ surveyId }, person);
  expect(issues).toMatchObject([{ path, code: "file_too_large", message }]);
  expect(await refusal(fixture.publish(surveyId))).toMatchObject({
    code: "validation_failed",
    details: { [path]: [message] },
  });
});

test("validating returns every issue once per key, with a code and what to do", async () => {
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
  // An acknowledgement is of one wording only.
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

/** A survey whose answered choice question left it with its third version, after another wording by the second. */
async function leftQuestion() {
  const several = { type: "multiple_choice", text: "b", choices: ["1", "2"], multipleAnswers: true };
  const { surveyId } = await fixture.create({ name: "Left", questions: [question("a"), several] });
  const { versionId } = await fixture.publish(surveyId);
  const choice = (await fixture.elements(surveyId))[1] as { id: string; questionId: string };
  const change = (typeSettings: object, questionText: string) =>
    fixture.edit(choice.id, { edit: "settings", body: { settings: { typeSettings }, questionText } });
  await change({ multipleAnswers: true }, "Newer");
  await fixture.publish(surveyId);
  await fixture.remove(choice.id);
  await fixture.publish(surveyId);
  fixture.answers.set(choice.questionId, { respondents: 5 });
  const restore = () => fixture.client.restoreVersion({ surveyId, versionId, ifMatch: ["*"] }, person);
  return { surveyId, choice, change, restore };
}

test("an answered question that comes back is compared with the newest version that has it", async () => {
  const { surveyId, choice, change, restore } = await leftQuestion();
  const listed = async () => {
    const { changes } = await fixture.changes(surveyId);
    expect(await getDraft(surveyId)).toMatchObject({ changeCount: changes.length });
    return changes.map(({ kind, class: effect, affectedResponses }) => `${kind} ${effect} ${affectedResponses}`);
  };
  await restore();
  expect(await listed()).toEqual(["question_added safe 0", "question_reworded results_affecting 5"]);
  expect(await refusal(fixture.publish(surveyId))).toMatchObject({ code: "acknowledgement_required" });
  await change({ multipleAnswers: false }, "Newer");
  expect(await listed()).toEqual(["question_added safe 0", "setting_changed breaking 5"]);
  const { summary } = await fixture.changes(surveyId);
  expect(await refusal(fixture.publish(surveyId, "*", {}, [summary.changesId]))).toMatchObject({
    code: "breaking_change",
    details: { changes: [{ class: "breaking", elementId: choice.id }] },
  });
  await change({ multipleAnswers: true }, "Newer");
  expect(await listed()).toEqual(["question_added safe 0"]);
  expect((await fixture.publish(surveyId)).versionNumber).toBe(4);
});

test("a question that comes back while answers are counted is counted, too", async () => {
  const { surveyId, change, restore } = await leftQuestion();
  await fixture.add(surveyId, { questions: [question("c")] });
  const holder = heldPublisher(surveyId);
  await holder.reached;
  await restore();
  await change({ multipleAnswers: false }, "Newer");
  expect(await holder.finish()).toBe("breaking_change");
});

test("during a publication, others get its owner and end time, edits work, and one version is created", async () => {
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
  // Any other reason for a refusal takes precedence.
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

test("an edit while answers are counted must be acknowledged, too", async () => {
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

test("a lock of a publisher that died before the clock was set back ends 15 seconds after a process starts", async () => {
  const { surveyId } = await answeredSurvey();
  await fixture.sql(
    `INSERT INTO survey_locks (workspace_id, survey_id, lease_id, holder, reason, expires_at)
     VALUES ('workspace0000001', $1, 'dead', 'person0000000001', 'publishing', $2)`,
    [surveyId, new Date(now.getTime() + 3_600_000)],
  );
  await using _started = await fixture.startAnother();
  const end = async () => timestampDate((await lockOf(surveyId))!.expiresAt!).getTime();
  await waitFor(async () => (await end()) === now.getTime() + 15_000, { describe: "the lock to be shortened" });
  expect(await end()).toBe(now.getTime() + 15_000);
});

test("a request that is repeated goes on with the lock of the first, which may have died", async () => {
  const { surveyId } = await answeredSurvey();
  await fixture.add(surveyId, { questions: [question("c")] });
  const { context } = idempotent("take-over", {});
  const dead = heldPublisher(surveyId, context);
  await dead.reached;
  expect(await fixture.publish(surveyId, "*", context)).toMatchObject({ versionNumber: 2 });
  // The first request gets the response of its retry.
  expect(await dead.finish()).toBe(2);
  expect(await versionsOf(surveyId)).toHaveLength(2);
});

test("many concurrent requests with one key create one version, and every response is the same", async () => {
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

test("without the response service a first publication is stored, a later one is refused, and no lock stays", async () => {
  await using alone = await startSurveyFixture();
  const { surveyId } = await alone.create({ name: "Alone", questions: [question("a")] });
  await alone.stopResponseService();
  // Stored, but not in effect at the response service.
  expect(await refusal(alone.publish(surveyId))).toMatchObject({ code: "service_unavailable" });
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

test("reads of missing and foreign surveys and versions, and of invalid pages, are refused", async () => {
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
