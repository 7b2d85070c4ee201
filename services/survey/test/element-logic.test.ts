import { callOptions } from "@canvass/rpc";
import { auditEntries } from "@canvass/service/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { question, refusal, signedPerson, startSurveyFixture, type SurveyFixture } from "./survey-fixture.ts";

let fixture: SurveyFixture;
beforeAll(async () => void (fixture = await startSurveyFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

const as = () => callOptions({ signedCaller: signedPerson() });
const choices = { type: "dropdown", text: "Which?", choices: ["a", "b"] };
const answered = (elementId: string) => ({ elementId, operator: "answered" });
const before = "must name a question before it";

/** Creates a survey with a choice, a number and a text on its one page. */
async function draft() {
  const { surveyId } = await fixture.create({ name: "Logic" });
  const added = await fixture.add(surveyId, { questions: [choices, { type: "number", text: "n" }, question("t")] });
  const [choice, number, text] = added.map(({ elementId }) => elementId) as [string, string, string];
  return {
    surveyId,
    choice,
    number,
    text,
    choiceId: added[0]!.choices[0]!.id,
    questionIds: added.map((each) => each.questionId),
  };
}

const edit = (elementId: string, body: object) =>
  fixture.edit(elementId, { edit: "settings", body: { settings: {}, ...body } }, []);
const logicOf = async (elementId: string) =>
  JSON.parse((await fixture.element(elementId)).logicJson || "null") as unknown;
/** Returns the stored bytes of an element, and those after it was saved unchanged, which weighs it anew. */
async function bytesOf(elementId: string) {
  const read = async () =>
    (await fixture.sql("SELECT bytes FROM elements WHERE element_id = $1", [elementId]))[0]!["bytes"];
  const stored = await read();
  await edit(elementId, {});
  return [stored, await read()];
}

test("elements take logic when they are added and edited, and show it wherever they are read", async () => {
  const { surveyId, choice, number, text, choiceId } = await draft();
  const showIf = { elementId: choice, operator: "equals", value: choiceId };
  const constraints = [{ must: { elementId: number, operator: "at_least", value: 3 }, message: "Three at least." }];
  await edit(text, { showIf, requiredIf: answered(number), constraints });
  expect(await logicOf(text)).toEqual({ showIf, requiredIf: answered(number), constraints });
  const [added] = await fixture.add(surveyId, {
    questions: [question("more", { showIf: { any: [showIf, answered(text)] } })],
  });
  expect(added).toMatchObject({ showIf: { any: [showIf, answered(text)] }, requiredIf: null, constraints: [] });
  const { elements } = await fixture.listPage({ surveyId, limit: 100, page: 1, includeContent: true });
  expect(elements.map((each) => [each["showIf"], each["requiredIf"], each["constraints"]])).toEqual([
    [null, null, []],
    [null, null, []],
    [showIf, answered(number), constraints],
    [{ any: [showIf, answered(text)] }, null, []],
  ]);
  const { versionId } = await fixture.publish(surveyId);
  const { definitionJson } = await fixture.client.getVersion({ surveyId, versionId }, as());
  const published = JSON.parse(definitionJson).pages[0].elements;
  expect(published[2].logic).toEqual({ showIf, requiredIf: answered(number), constraints });
  expect(published[0]).not.toHaveProperty("logic");
  await edit(text, { constraints: [] });
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(true);
  await edit(text, { constraints });
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(false);
  await edit(text, { showIf: null, requiredIf: null, constraints: null });
  expect(await logicOf(text)).toBeNull();
  await fixture.client.restoreVersion({ surveyId, versionId, ifMatch: ["*"] }, as());
  expect(await logicOf(text)).toEqual({ showIf, requiredIf: answered(number), constraints });
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(false);
});

test("logic is refused with every violation, where it was written, and nothing is stored", async () => {
  const { surveyId, choice, number, text } = await draft();
  const refused = refusal(
    edit(number, {
      showIf: answered(text),
      requiredIf: answered(number),
      constraints: [{ must: { elementId: choice, operator: "equals", value: "gone" }, message: "m" }],
    }),
  );
  expect((await refused).details).toMatchObject({
    "showIf.elementId": [before],
    "requiredIf.elementId": [before],
    "constraints.0.must.value": [expect.stringContaining("id of a choice")],
  });
  const added = refusal(
    fixture.add(surveyId, {
      questions: [question("ok", { showIf: answered(text) }), question("x", { showIf: answered("0000000000000000") })],
    }),
  );
  expect((await added).details).toEqual({ "questions.1.showIf.elementId": [before] });
  const created = refusal(fixture.create({ name: "New", questions: [question("x", { requiredIf: answered(text) })] }));
  expect((await created).details).toEqual({ "questions.0.requiredIf.elementId": [before] });
  const move = refusal(
    (async () => {
      await edit(text, { showIf: answered(number) });
      const [page] = await fixture.pages(surveyId);
      await fixture.order(surveyId, page!.pageId, [text, choice, number]);
    })(),
  );
  expect((await move).details).toEqual({ "pages.0.elements.0.showIf.elementId": [before] });
  expect((await fixture.elements(surveyId)).map(({ id }) => id)).toEqual([choice, number, text]);
});

test("conditions are removed with the element or choice that they depend on, with their weight, and the log records it", async () => {
  const { choice, number, text, choiceId } = await draft();
  const constraints = [{ must: answered(text), message: "m" }];
  await edit(text, {
    showIf: { elementId: choice, operator: "equals", value: choiceId },
    requiredIf: answered(number),
    constraints,
  });
  const own = { must: { elementId: choice, operator: "not_equals", value: choiceId }, message: "m" };
  await edit(choice, { constraints: [own, { must: answered(choice), message: "m" }] });
  const { etag } = await fixture.element(text);
  const other = (await fixture.element(choice)).choices[1]!;
  await fixture.edit(choice, { edit: "choices", body: { choices: [{ choiceId: other.id, title: "b" }] } }, []);
  expect(await logicOf(text)).toEqual({ requiredIf: answered(number), constraints });
  expect((await fixture.element(text)).etag).not.toBe(etag);
  expect(await logicOf(choice)).toEqual({ constraints: [{ must: answered(choice), message: "m", number: 1 }] });
  const [stored, anew] = await bytesOf(text);
  expect(stored).toBe(anew);
  await fixture.remove(number);
  expect(await logicOf(text)).toEqual({ constraints });
  const entries = (await auditEntries(fixture.sql)).filter(({ resourceId }) => resourceId === number);
  expect(JSON.parse(entries.at(-1)!.afterJson)).toMatchObject({ removedRules: [{ count: 1 }] });
  const after = await bytesOf(text);
  expect(after[0]).toBe(after[1]);
});

test.each([
  ["condition", question("b", { showIf: { name: "above", operator: "answered" } })],
  ["placeholder", question("b {{above}}")],
])("the entity tag of an element whose %s goes with the question above it never comes back", async (_part, below) => {
  const { surveyId } = await fixture.create({ name: "Tags", questions: [question("a", { name: "above" }), below] });
  const [first, second] = (await fixture.elements(surveyId)).map(({ id }) => id as string) as [string, string];
  await fixture.remove(first);
  const { etag } = await fixture.element(second);
  const document = JSON.parse((await fixture.client.getDocument({ surveyId }, as())).documentJson);
  document.pages[0].elements[0].text = "c";
  await fixture.client.replaceDocument({ surveyId, ifMatch: ["*"], bodyJson: JSON.stringify(document) }, as());
  const replaced = await fixture.element(second);
  expect(replaced.questionText).toBe("c");
  expect(replaced.etag).not.toBe(etag);
});

test("a showIf of a page asks earlier pages only, and is part of versions, changes and documents", async () => {
  const { surveyId, choice, number } = await draft();
  await fixture.add(surveyId, { questions: [question("last", { pageTitle: "Two" })] });
  const [first, second] = await fixture.pages(surveyId);
  const own = refusal(fixture.patchPage(surveyId, first!.pageId, { showIf: answered(choice) }));
  expect((await own).details).toEqual({ "showIf.elementId": ["must name a question on an earlier page"] });
  const patched = await fixture.patchPage(surveyId, second!.pageId, { showIf: answered(choice) });
  expect(JSON.parse(patched.showIfJson)).toEqual(answered(choice));
  expect((await fixture.pages(surveyId)).map(({ showIfJson }) => showIfJson === "")).toEqual([true, false]);
  const { versionId } = await fixture.publish(surveyId);
  const { definitionJson } = await fixture.client.getVersion({ surveyId, versionId }, as());
  expect(JSON.parse(definitionJson).pages.map((page: object) => "showIf" in page)).toEqual([false, true]);
  await fixture.patchPage(surveyId, second!.pageId, { showIf: null });
  const { changes } = await fixture.changes(surveyId);
  expect(changes).toMatchObject([{ kind: "show_if_changed", class: "results_affecting", elementId: null }]);
  await fixture.patchPage(surveyId, second!.pageId, { showIf: answered(choice) });
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(false);
  const { documentJson } = await fixture.client.getDocument({ surveyId }, as());
  const { survey } = await fixture.client.importSurvey({ bodyJson: documentJson }, as());
  const copy = await fixture.client.getDocument({ surveyId: survey!.surveyId }, as());
  expect(copy.documentJson).toBe(documentJson);
  await edit(number, { requiredIf: answered(choice) });
  const { etag } = await fixture.read(surveyId);
  const { documentJson: present } = await fixture.client.getDocument({ surveyId }, as());
  expect(JSON.parse(present).pages[0].elements[1]).toMatchObject({ requiredIf: { operator: "answered" } });
  const same = await fixture.client.replaceDocument({ surveyId, ifMatch: ["*"], bodyJson: present }, as());
  expect(same.survey!.etag).toBe(etag);
});

test("changes of the logic of answered questions affect results", async () => {
  const { surveyId, choice, number, text, questionIds } = await draft();
  await fixture.publish(surveyId);
  fixture.answers.set(questionIds[2]!, { respondents: 4 });
  await edit(text, { showIf: answered(choice), constraints: [{ must: answered(text), message: "m" }] });
  await edit(number, { showIf: answered(choice) });
  const { changes } = await fixture.changes(surveyId);
  expect(changes.map(({ kind, class: worst, affectedResponses }) => `${kind} ${worst} ${affectedResponses}`)).toEqual([
    "show_if_changed safe 0",
    "show_if_changed results_affecting 4",
    "constraints_changed results_affecting 4",
  ]);
});

test("choices and rows have conditions with their fields in all responses", async () => {
  const { surveyId, choice, number, choiceId } = await draft();
  const showIf = { elementId: choice, operator: "equals", value: choiceId };
  const asking = { type: "dropdown", text: "More?", choices: ["x", { text: "y", showIf }] };
  const [added] = await fixture.add(surveyId, { questions: [asking] });
  const [x, y] = added!.choices.map(({ id }) => id) as [string, string];
  expect(added!.choices).toEqual([
    { id: x, text: "x" },
    { id: y, text: "y", showIf },
  ]);
  const { elements } = await fixture.listPage({ surveyId, limit: 100, page: 1, includeContent: true });
  expect(elements[3]!["choices"]).toEqual(added!.choices);
  expect(await logicOf(added!.elementId)).toEqual({ entries: { [y]: showIf } });
  const refused = await refusal(
    fixture.add(surveyId, {
      questions: [{ ...asking, choices: ["x", { text: "y", showIf: answered("0000000000000000") }] }],
    }),
  );
  expect(refused.details).toEqual({ "questions.0.choices.1.showIf.elementId": [before] });
  await fixture.publish(surveyId);
  const given = (...fields: object[]) => ({
    settings: { choices: [x, y].map((id, at) => ({ id, text: ["x", "y"][at], ...fields[at] })) },
  });
  const own = await refusal(edit(added!.elementId, given({ showIf: answered(added!.elementId) })));
  expect(own.details).toEqual({ "settings.choices.0.showIf.elementId": [before] });
  await edit(added!.elementId, given({ showIf: answered(number) }, { showIf: null }));
  expect(await logicOf(added!.elementId)).toEqual({ entries: { [x]: answered(number) } });
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(true);
  const [stored, weighed] = await bytesOf(added!.elementId);
  expect(stored).toBe(weighed);
  await fixture.remove(number);
  expect(await logicOf(added!.elementId)).toBeNull();
});

test("blocks are returned wherever pages are read, and edits that would break one are refused", async () => {
  const { surveyId, text } = await draft();
  for (const pageTitle of ["Two", "Three"])
    await fixture.add(surveyId, { questions: [question("more", { pageTitle })] });
  const [first, second, third] = (await fixture.pages(surveyId)).map(({ pageId }) => pageId) as [
    string,
    string,
    string,
  ];
  await fixture.patchPage(surveyId, second, { block: "topics" });
  expect(await fixture.patchPage(surveyId, third, { block: "topics" })).toMatchObject({ block: "topics" });
  expect((await fixture.pages(surveyId)).map(({ block }) => block)).toEqual(["", "topics", "topics"]);
  const skipLogic = [{ when: answered(text), goTo: third }];
  expect((await refusal(fixture.patchPage(surveyId, first, { skipLogic }))).details).toEqual({
    "skipLogic.0.goTo": ["must name the first page of a block, whose pages are shuffled"],
  });
  const wrong = await refusal(fixture.patchPage(surveyId, second, { block: "a b", skipLogic: [] }));
  expect(wrong.details).toEqual({ block: [expect.stringContaining("at most 64")] });
  const { versionId } = await fixture.publish(surveyId);
  const { definitionJson } = await fixture.client.getVersion({ surveyId, versionId }, as());
  const blocksOf = (json: string) => JSON.parse(json).pages.map((page: { block?: string }) => page.block ?? null);
  expect(blocksOf(definitionJson)).toEqual([null, "topics", "topics"]);
  await fixture.patchPage(surveyId, third, { block: null });
  expect((await fixture.changes(surveyId)).changes).toMatchObject([{ kind: "page_shuffle_changed", class: "safe" }]);
  await fixture.client.restoreVersion({ surveyId, versionId, ifMatch: ["*"] }, as());
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(false);
  const { documentJson } = await fixture.client.getDocument({ surveyId }, as());
  expect(blocksOf(documentJson)).toEqual([null, "topics", "topics"]);
  const { survey } = await fixture.client.importSurvey({ bodyJson: documentJson }, as());
  expect((await fixture.client.getDocument({ surveyId: survey!.surveyId }, as())).documentJson).toBe(documentJson);
});

test("choices are carried from another question, in all reads and changes of the draft", async () => {
  const { surveyId } = await fixture.create({ name: "Carried" });
  const brands = {
    type: "multiple_choice",
    name: "brands",
    text: "Which?",
    multipleAnswers: true,
    choices: ["x", "y"],
  };
  const best = { type: "dropdown", text: "Best?", choicesFrom: { name: "brands" } };
  const [source, carrying] = await fixture.add(surveyId, { questions: [brands, best] });
  const [elementId, carryingId] = [source!.elementId, carrying!.elementId];
  const [x, y] = source!.choices.map(({ id }: { id: string }) => id);
  const choicesFrom = { elementId, which: "selected" };
  expect(carrying).toMatchObject({ choicesFrom });
  expect(carrying).not.toHaveProperty("choices");
  const { elements } = await fixture.listPage({ surveyId, limit: 100, page: 1, includeContent: true });
  expect(elements.map((each) => [each["choicesFrom"], each["choices"] !== undefined])).toEqual([
    [null, true],
    [choicesFrom, false],
  ]);
  const [asking] = await fixture.add(surveyId, {
    questions: [question("why", { showIf: { elementId: carryingId, operator: "equals", value: x } })],
  });
  const { versionId } = await fixture.publish(surveyId);
  const { definitionJson } = await fixture.client.getVersion({ surveyId, versionId }, as());
  expect(JSON.parse(definitionJson).pages[0].elements[1]).not.toHaveProperty("choices");

  // An edit of the carrying question keeps conditions about its choices. Removing a choice of the source removes the
  // conditions that ask for it.
  await edit(carryingId, { questionText: "The best?" });
  expect(await logicOf(asking!.elementId)).not.toBeNull();
  await edit(elementId, { settings: { choices: [{ id: y, text: "y" }] } });
  expect(await logicOf(asking!.elementId)).toBeNull();
  const stored = await fixture.sql("SELECT choices FROM elements WHERE element_id = $1", [carryingId]);
  expect(stored).toEqual([{ choices: null }]);
  await edit(carryingId, { choicesFrom: { elementId, which: "shown" } });
  expect(await logicOf(carryingId)).toEqual({ choicesFrom: { elementId, which: "shown" } });
  expect(await refusal(edit(carryingId, { choicesFrom: { name: "nobody" } }))).toMatchObject({
    details: { "choicesFrom.name": ["must be the name of an element of the survey"] },
  });
  expect(await refusal(edit(elementId, { choicesFrom: { elementId: carryingId } }))).toMatchObject({
    details: { "choicesFrom.elementId": [before] },
  });
  // A conflict has one violation, at what was sent.
  const conflict = "cannot be combined with choicesFrom";
  const typeSettings = { other: { enabled: true } };
  const [several, own] = await fixture.add(surveyId, {
    questions: [
      { type: "multiple_choice", text: "Several?", choicesFrom: { name: "brands" } },
      { type: "multiple_choice", text: "Own?", typeSettings },
    ],
  });
  const ofOther = await refusal(fixture.edit(several!.elementId, { edit: "other", body: { enabled: true } }));
  expect(ofOther.details).toEqual({ enabled: [conflict] });
  const ofSettings = await refusal(edit(several!.elementId, { settings: { typeSettings } }));
  expect(ofSettings.details).toEqual({ "settings.typeSettings.other.enabled": [conflict] });
  const ofSource = await refusal(edit(own!.elementId, { choicesFrom: { name: "brands" } }));
  expect(ofSource.details).toEqual({
    choicesFrom: [`conflicts with typeSettings.other.enabled, which ${conflict}`],
  });
  await edit(carryingId, { choicesFrom: null });
  expect((await fixture.element(carryingId)).choices.map(({ text }) => text)).toEqual(["Choice 1", "Choice 2"]);
});

test("a question that gets more choices than the one that carries them takes is refused with what to do", async () => {
  const { surveyId } = await fixture.create({ name: "Too many carried" });
  const choices = Array.from({ length: 50 }, (_, at) => `c${at}`);
  const many = { type: "dropdown", name: "many", text: "Which?", choices };
  const order = { type: "ranking", text: "In which order?", choicesFrom: { name: "many", which: "shown" } };
  const [source] = await fixture.add(surveyId, { questions: [many, order] });
  const more = [...source!.choices.map(({ id, text }: { id: string; text: string }) => ({ id, text })), "one more"];
  expect(await refusal(edit(source!.elementId, { settings: { choices: more } }))).toMatchObject({
    details: {
      "pages.0.elements.1.choicesFrom.elementId": [
        "carries 51 choices, but ranking takes at most 50: remove choices from the question that it names, or name one with fewer",
      ],
    },
  });
});

test("a choice that was chosen only where other questions carry it is retired, also after they have left the draft", async () => {
  const { surveyId } = await fixture.create({ name: "Chosen elsewhere" });
  const carrying = (name: string, from: string) =>
    question(name, { type: "dropdown", name, choicesFrom: { name: from, which: "not_selected" } });
  const source = { type: "dropdown", text: "a", name: "a", choices: ["1", "2", "3", "4"] };
  const added = await fixture.add(surveyId, { questions: [source, carrying("b", "a"), carrying("c", "b")] });
  await fixture.publish(surveyId);
  const [a, b, c] = added as [(typeof added)[0], (typeof added)[0], (typeof added)[0]];
  const [one, two, three] = a.choices.map(({ id }) => id) as [string, string, string];
  fixture.answers.set(b.questionId, { respondents: 2, entries: { [one]: 2 } });
  fixture.answers.set(c.questionId, { respondents: 3, entries: { [one]: 1, [two]: 2 } });
  const remove = (choiceId: string) => fixture.edit(a.elementId, { edit: "deleteChoice", body: { choiceId } });
  expect(await remove(one)).toMatchObject({
    retiredIds: [one],
    retiredResponses: { [one]: 3n },
    element: { responses: 0n },
  });
  await fixture.remove(c.elementId);
  await fixture.publish(surveyId, "*", undefined, [(await fixture.changes(surveyId)).summary.changesId]);
  expect(await remove(two)).toMatchObject({ retiredIds: [two], retiredResponses: { [two]: 2n } });
  expect(await remove(three)).toMatchObject({ removedIds: [three] });
});
