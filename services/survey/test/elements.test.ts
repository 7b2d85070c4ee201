import { afterAll, beforeAll, expect, test } from "vitest";
import {
  idempotent,
  question,
  refusal,
  signedPerson,
  startSurveyFixture,
  type SurveyFixture,
} from "./survey-fixture.ts";

let fixture: SurveyFixture;
beforeAll(async () => void (fixture = await startSurveyFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

const choices = { type: "multiple_choice", text: "Which?", choices: ["a", "b", "c"] };
const several = { ...choices, multipleAnswers: true };

async function surveyOf(...questions: object[]) {
  const { surveyId } = await fixture.create({ name: "Survey" });
  return { surveyId, elements: await fixture.add(surveyId, { questions }) };
}

const settingsOf = (settings: object, fields: object = {}) => ({
  edit: "settings",
  body: { settings, ...fields },
});

test("an element is read with its content, and how many answered it", async () => {
  const { surveyId, elements } = await surveyOf({ ...several, required: true, helpText: "help" });
  const { elementId, questionId, pageId } = elements[0]!;
  fixture.answers.set(questionId, { respondents: 3 });
  const element = await fixture.element(elementId);
  expect(element).toMatchObject({ elementId, questionId, surveyId, pageId, type: 4, typeName: "multiple_choice" });
  expect(element).toMatchObject({ sortOrder: 1, questionText: "Which?", helpText: "help", required: true });
  expect(element.choices.map(({ text, retired }) => [text, retired])).toEqual([
    ["a", false],
    ["b", false],
    ["c", false],
  ]);
  expect(JSON.parse(element.typeSettingsJson)).toMatchObject({ multipleAnswers: true });
  expect(element.responses).toBe(3n);
  expect(element.etag).toMatch(/^"[0-9a-f]{16}"$/);
});

test("a list with content has everything to render the survey, without retired entries", async () => {
  const columns = [{ text: "x", options: ["1", "2"] }];
  const { surveyId, elements } = await surveyOf(
    several,
    { type: "dropdown_matrix", text: "?", rows: ["r"], columns },
    { ...question("b"), required: true },
  );
  const { elementId, questionId, choices: old } = elements[0]!;
  fixture.answers.set(questionId, { respondents: 1, entries: { [old[0]!.id]: 1 } });
  await fixture.edit(elementId, { edit: "deleteChoice", body: { choiceId: old[0]!.id } });
  const page = { surveyId, limit: 100, page: 1 };
  const { elements: full } = await fixture.listPage({ ...page, includeContent: true });
  expect(full[0]).toMatchObject({
    settings: { typeSettings: { multipleAnswers: true }, responseValidation: { required: false } },
    choices: [
      { id: old[1]!.id, text: "b" },
      { id: old[2]!.id, text: "c" },
    ],
    required: false,
  });
  const id = expect.any(String);
  expect(full[1]).toMatchObject({
    rows: [{ id, text: "r" }],
    columns: [
      {
        id,
        text: "x",
        options: [
          { id, text: "1" },
          { id, text: "2" },
        ],
      },
    ],
  });
  expect(full[2]).toMatchObject({ required: true });
  expect(full[2]).not.toHaveProperty("choices");
  const content = [
    "settings",
    "choices",
    "rows",
    "columns",
    "required",
    "showIf",
    "requiredIf",
    "constraints",
    "defaultValue",
    "choicesFrom",
  ];
  const bare = full.map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => !content.includes(name))));
  expect((await fixture.listPage(page)).elements).toEqual(bare);
});

test("settings are replaced whole; the survey, the element and nothing else change", async () => {
  const { surveyId, elements } = await surveyOf(several, question("other"));
  const [first, other] = await Promise.all(elements.map(({ elementId }) => fixture.element(elementId)));
  const before = await fixture.read(surveyId);
  const { element } = await fixture.edit(
    first!.elementId,
    settingsOf(
      { typeSettings: { shuffle: true }, responseValidation: { required: true } },
      { questionText: "Which, now?", helpText: null },
    ),
  );
  expect(element).toMatchObject({ questionText: "Which, now?", required: true });
  expect(JSON.parse(element!.typeSettingsJson)).toMatchObject({ shuffle: true, multipleAnswers: false });
  expect(element!.choices.map(({ id }) => id)).toEqual(first!.choices.map(({ id }) => id));
  expect(element!.etag).not.toBe(first!.etag);
  const read = await fixture.element(first!.elementId);
  expect({ ...read, typeSettingsJson: "" }).toEqual({ ...element, typeSettingsJson: "" });
  expect(JSON.parse(read.typeSettingsJson)).toEqual(JSON.parse(element!.typeSettingsJson));
  expect(await fixture.element(other!.elementId)).toEqual(other);
  const after = await fixture.read(surveyId);
  expect(after.etag).not.toBe(before.etag);
  expect((await fixture.elements(surveyId))[0]).toMatchObject({ questionText: "Which, now?" });
});

test("editing a published survey is an unpublished change and does not change the version", async () => {
  const { surveyId, elements } = await surveyOf(choices);
  const { versionId } = await fixture.publish(surveyId);
  const refs = { versions: [{ workspaceId: "workspace0000001", surveyId, versionId }] };
  const published = (await fixture.client.batchGetVersions(refs)).versions;
  await fixture.edit(elements[0]!.elementId, settingsOf({}, { questionText: "Another" }));
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(true);
  expect((await fixture.client.batchGetVersions(refs)).versions).toEqual(published);
});

test("an answered choice that is removed is retired and reported; an unanswered one is deleted", async () => {
  const { elements } = await surveyOf(choices);
  const { elementId, questionId, choices: old } = elements[0]!;
  const [a, b, c] = old.map(({ id }) => id);
  fixture.answers.set(questionId, { respondents: 5, entries: { [a!]: 4 } });
  const remove = (choiceId: string) => fixture.edit(elementId, { edit: "deleteChoice", body: { choiceId } });
  expect(await remove(a!)).toMatchObject({ retiredIds: [a], removedIds: [], retiredResponses: { [a!]: 4n } });
  expect(await remove(b!)).toMatchObject({ retiredIds: [], removedIds: [b] });
  const element = await fixture.element(elementId);
  expect(element.choices.map(({ id, retired }) => [id, retired])).toEqual([
    [c, false],
    [a, true],
  ]);
  expect((await refusal(remove(a!))).code).toBe("choice_not_found");
  expect((await refusal(remove(c!))).details).toEqual({ choiceId: ["is the last choice that can be chosen"] });
});

test("choices are edited one by one, in bulk, in order; Other keeps its id", async () => {
  const { elements } = await surveyOf(choices);
  const { elementId, questionId, choices: old } = elements[0]!;
  const [a, b, c] = old.map(({ id }) => id) as [string, string, string];
  await fixture.edit(elementId, { edit: "choice", body: { choiceId: a, questionId, newTitle: "A" } });
  const added = await fixture.edit(elementId, { edit: "choice", body: { choiceId: null, questionId, newTitle: "d" } });
  const [d] = added.addedIds as [string];
  await fixture.edit(elementId, { edit: "choiceOrder", body: { choiceIds: [d, c, b, a] } });
  const texts = async () => (await fixture.element(elementId)).choices.map(({ text }) => text);
  expect(await texts()).toEqual(["d", "c", "b", "A"]);
  const list = [
    { choiceId: null, title: "new" },
    { choiceId: a, title: "A!" },
  ];
  const { addedIds, removedIds } = await fixture.edit(elementId, { edit: "choices", body: { choices: list } });
  expect([addedIds.length, removedIds.toSorted()]).toEqual([1, [b, c, d].toSorted()]);
  expect(await texts()).toEqual(["new", "A!"]);
  const other = async (value: { enabled: boolean; label?: string }) => {
    const { element } = await fixture.edit(elementId, { edit: "other", body: value });
    return (JSON.parse(element!.typeSettingsJson) as { other: { choiceId: string } }).other;
  };
  const on = await other({ enabled: true, label: "Else" });
  expect(on).toMatchObject({ enabled: true, label: "Else" });
  await other({ enabled: false });
  expect(await other({ enabled: true })).toEqual(on);
});

test("NPS and rating are edited by their own operations", async () => {
  const { elements } = await surveyOf({ type: "nps", text: "-", subject: "us" }, { type: "rating", text: "How?" });
  const [nps, rating] = elements.map(({ elementId }) => elementId) as [string, string];
  await fixture.edit(nps, { edit: "npsLabel", body: { side: "left", text: "Never" } });
  const { element } = await fixture.edit(nps, { edit: "npsSettings", body: { subject: "Canvass", required: true } });
  expect(element!.questionText).toContain("Canvass");
  expect(JSON.parse(element!.typeSettingsJson)).toMatchObject({ leftLabel: "Never", subject: "Canvass" });
  await fixture.edit(rating, { edit: "ratingSettings", body: { steps: 7, style: "heart" } });
  const rated = await fixture.edit(rating, { edit: "ratingLabel", body: { position: 7, text: "Great" } });
  expect(JSON.parse(rated.element!.typeSettingsJson)).toMatchObject({
    steps: 7,
    style: "heart",
    labels: { "7": "Great" },
  });
});

test("an unanswered element is deleted with the rules that depend on it, positions close up, and its id does not exist", async () => {
  const { surveyId, elements } = await surveyOf(
    { ...choices, pageTitle: "One" },
    question("b"),
    question("c"),
    question("d", { pageTitle: "Two" }),
  );
  const [first, second, third, last] = elements;
  const when = (elementId: string) => ({ when: { elementId, operator: "answered" }, goTo: "end" });
  const skipLogic = [when(first!.elementId), when(second!.elementId)];
  await fixture.patchPage(surveyId, last!.pageId, { skipLogic });
  const neighbour = await fixture.element(third!.elementId);
  expect(await fixture.remove(first!.elementId)).toMatchObject({ retired: false, responses: 0n });
  expect((await fixture.elements(surveyId)).map(({ id, sortOrder }) => [id, sortOrder])).toEqual([
    [second!.elementId, 1],
    [third!.elementId, 2],
    [last!.elementId, 1],
  ]);
  const [, two] = await fixture.pages(surveyId);
  expect(JSON.parse(two!.skipLogicJson)).toEqual([skipLogic[1]]);
  expect((await fixture.read(surveyId)).questionCount).toBe(3);
  // Its place changed, which readers see.
  expect((await fixture.element(third!.elementId)).etag).not.toBe(neighbour.etag);
  expect((await refusal(fixture.remove(first!.elementId))).code).toBe("element_not_found");
  expect((await refusal(fixture.element(first!.elementId))).code).toBe("element_not_found");
});

test("an answered element is retired, and every operation returns when and with how many responses", async () => {
  const { surveyId, elements } = await surveyOf(choices, question("b"));
  const { elementId, questionId } = elements[0]!;
  fixture.answers.set(questionId, { respondents: 2 });
  expect(await fixture.remove(elementId)).toMatchObject({ retired: true, responses: 2n });
  expect((await fixture.elements(surveyId)).map(({ id }) => id)).toEqual([elements[1]!.elementId]);
  const [kept] = await fixture.sql<{ question: object }>("SELECT question FROM retired_elements");
  expect(kept!.question).toMatchObject({ elementId, questionId, text: "Which?" });
  // The published version may go on collecting.
  fixture.answers.set(questionId, { respondents: 3 });
  const retired = { code: "element_retired", details: { retiredAt: expect.any(String), responses: 3 } };
  for (const ask of [
    () => fixture.element(elementId),
    () => fixture.remove(elementId),
    () => fixture.remove(elementId, ['"stale"']),
    () => fixture.edit(elementId, settingsOf({})),
    () => fixture.edit(elementId, { edit: "other", body: { enabled: true } }),
  ]) {
    expect(await refusal(ask())).toEqual(retired);
  }
  expect((await refusal(fixture.element(elementId, { signedCaller: stranger() }))).code).toBe("element_not_found");
});

test("an element that comes back after it was retired is retired again", async () => {
  const { elements } = await surveyOf(choices, question("b"));
  const { elementId, questionId } = elements[0]!;
  fixture.answers.set(questionId, { respondents: 1 });
  const [{ columns } = { columns: "" }] = await fixture.sql<{ columns: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
     WHERE table_name = 'elements' AND is_generated = 'NEVER'`,
  );
  await fixture.sql(`CREATE TABLE kept AS SELECT ${columns} FROM elements WHERE element_id = '${elementId}'`);
  await fixture.remove(elementId);
  await fixture.sql(`INSERT INTO elements (${columns}) SELECT * FROM kept`);
  expect(await fixture.element(elementId)).toMatchObject({ elementId });
  expect(await fixture.remove(elementId)).toMatchObject({ retired: true });
  await fixture.sql("DROP TABLE kept");
});

test("the source of a loop stays until the loop is off, and the refusal names the page", async () => {
  const { surveyId, elements } = await surveyOf(several, question("each", { pageTitle: "Each" }));
  const [source, looped] = elements;
  await fixture.patchPage(surveyId, looped!.pageId, { loop: { elementId: source!.elementId } });
  const refused = await refusal(fixture.remove(source!.elementId));
  expect(refused.code).toBe("validation_failed");
  expect(refused.details).toEqual({ "pages.1.loop": [expect.stringContaining("Each")] });
  // A page cannot repeat for a question with one answer.
  const single = settingsOf({ typeSettings: { multipleAnswers: false } });
  expect((await refusal(fixture.edit(source!.elementId, single))).code).toBe("validation_failed");
  await fixture.patchPage(surveyId, looped!.pageId, { loop: null });
  expect(await fixture.remove(source!.elementId)).toMatchObject({ retired: false });
});

test("the same key returns the first response and calls no other service", async () => {
  await using own = await startSurveyFixture();
  const { surveyId } = await own.create({ name: "Survey" });
  const [element] = await own.add(surveyId, { questions: [choices] });
  own.answers.set(element!.questionId, { respondents: 1 });
  const { context, replays } = idempotent("delete-1", "");
  const first = await own.remove(element!.elementId, [], context);
  await own.stopResponseService();
  expect(await own.remove(element!.elementId, [], context)).toEqual(first);
  expect(replays).toHaveLength(1);
  expect((await refusal(own.remove(element!.elementId))).code).toBe("service_unavailable");
});

test("of writers with one entity tag one wins", async () => {
  const { elements } = await surveyOf(choices);
  const { elementId } = elements[0]!;
  const { etag } = await fixture.element(elementId);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) =>
      fixture.edit(elementId, settingsOf({}, { questionText: `Text ${index}` }), [etag]),
    ),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await refusal(fixture.remove(elementId, [etag]))).code).toBe("precondition_failed");
  await fixture.remove(elementId, ["*"]);
});

const stranger = () => signedPerson({ workspaceId: "workspace0000002" });
