import { callOptions, type CallContext } from "@canvass/rpc";
import { auditEntries } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { idempotent, question, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

const as = (context: CallContext = {}) => callOptions({ signedCaller: signedPerson(), ...context });
const taken = "is the name of another element of the survey";
const named = (name: string) => question(name, { name });
const colours = question("Which?", {
  type: "dropdown",
  name: "colour",
  choices: [{ label: "Red", code: "1" }, { text: "Blue", code: "2" }, "Green"],
});

const rename = (elementId: string, name: string | null, context?: CallContext) =>
  fixture.edit(elementId, { edit: "settings", body: { settings: {}, name } }, [], context);
const namesOf = async (surveyId: string) => (await fixture.elements(surveyId)).map((element) => element["name"]);
const answer = (questionId: string) => fixture.answers.set(questionId, { respondents: 3 });

async function createNamed(...names: string[]) {
  const { surveyId } = await fixture.create({ name: "Names", questions: names.map(named) });
  const elements = (await fixture.elements(surveyId)) as { id: string; questionId: string; name: string }[];
  return { surveyId, elements };
}

test("names and codes of a new survey are read wherever its questions are", async () => {
  const { surveyId } = await fixture.create({ name: "Read", questions: [colours, question("Plain")] });
  const [added] = await fixture.add(surveyId, { questions: [{ ...colours, name: "again" }] });
  const choices = [{ text: "Red", code: "1" }, { text: "Blue", code: "2" }, { text: "Green" }];
  expect(added).toMatchObject({ name: "again", choices });
  const { elements } = await fixture.listPage({ surveyId, limit: 100, page: 1, includeContent: true });
  expect(elements).toMatchObject([{ name: "colour", choices }, { name: null }, { name: "again", choices }]);
  expect(elements[0]!["choices"][2]).not.toHaveProperty("code");
  const element = await fixture.element(elements[0]!["id"]);
  expect([element.name, element.choices.map(({ code }) => code)]).toEqual(["colour", ["1", "2", ""]]);
  expect((await fixture.element(elements[1]!["id"])).name).toBe("");
  const { versionId } = await fixture.publish(surveyId);
  const { definitionJson } = await fixture.client.getVersion({ surveyId, versionId }, as());
  const [first, plain] = JSON.parse(definitionJson).pages[0].elements;
  expect(first).toMatchObject({ name: "colour", choices: [{ code: "1" }, { code: "2" }, {}] });
  expect(plain).not.toHaveProperty("name");
});

test("a name is refused that another element has, also a retired one, with every other violation", async () => {
  const { surveyId, elements } = await createNamed("Gone", "here", "Free");
  answer(elements[0]!.questionId);
  await fixture.remove(elements[0]!.id);
  await fixture.remove(elements[2]!.id);
  const before = await namesOf(surveyId);
  const questions = [named("GONE"), named("Here"), named("free"), named("FREE"), question("x", { name: "1" })];
  expect(await refusal(fixture.add(surveyId, { questions }))).toMatchObject({
    code: "validation_failed",
    details: {
      "questions.0.name": [taken],
      "questions.1.name": [taken],
      "questions.3.name": [taken],
      "questions.4.name": [expect.stringContaining("a letter")],
    },
  });
  expect(await refusal(rename(elements[1]!.id, "gone"))).toMatchObject({ details: { name: [taken] } });
  const body = { settings: { typeSettings: { minLength: -1 } }, name: "GONE", questionText: 7 };
  expect(await refusal(fixture.edit(elements[1]!.id, { edit: "settings", body }))).toMatchObject({
    details: {
      name: [taken],
      questionText: [expect.any(String)],
      "settings.typeSettings.minLength": [expect.any(String)],
    },
  });
  expect(await namesOf(surveyId)).toEqual(before);
  // In another survey, and in another workspace, the name is free.
  await createNamed("gone");
  await rename(elements[1]!.id, "HERE");
  expect(await namesOf(surveyId)).toEqual(["HERE"]);
});

test("of simultaneous requests for one name, one gets it", async () => {
  const { surveyId, elements } = await createNamed("a", "b");
  const outcomes = await Promise.allSettled([
    ...elements.map(({ id }) => rename(id, "wanted")),
    fixture.add(surveyId, { questions: [named("Wanted")] }),
  ]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const names = (await namesOf(surveyId)).map((name: string) => name.toLowerCase());
  expect(new Set(names).size).toBe(names.length);
});

test("a rename changes the entity tags, is replayed, is recorded, and waits for publication", async () => {
  const { surveyId, elements } = await createNamed("before", "other");
  await fixture.publish(surveyId);
  const { id, questionId } = elements[0]!;
  answer(questionId);
  const { etag } = await fixture.element(id);
  const call = idempotent("rename-1", { name: "after" });
  const first = await rename(id, "after", call.context);
  expect(first.element).toMatchObject({ name: "after" });
  expect(first.element!.etag).not.toBe(etag);
  expect(await rename(id, "after", call.context)).toEqual(first);
  expect(call.replays).toHaveLength(1);
  expect(
    await refusal(fixture.edit(id, { edit: "settings", body: { settings: {}, name: "x" } }, [etag])),
  ).toMatchObject({
    code: "precondition_failed",
  });
  const entries = (await auditEntries(fixture.sql)).filter(({ resourceId }) => resourceId === id);
  expect(entries.at(-1)).toMatchObject({ beforeJson: '{"name":"before"}', afterJson: '{"name":"after"}' });
  const { changes } = await fixture.changes(surveyId);
  expect(changes).toMatchObject([
    { kind: "question_renamed", class: "results_affecting", affectedResponses: 3, before: "before", after: "after" },
  ]);
  expect(await refusal(fixture.publish(surveyId))).toMatchObject({ code: "acknowledgement_required" });
  await fixture.publish(surveyId, "*", {}, [changes[0]!.changeId]);
  // Back to what is published: the draft is clean again.
  await rename(id, "third");
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(true);
  await rename(id, "after");
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(false);
});

test("a restore brings names back, also from elements that were retired with them since", async () => {
  const { surveyId, elements } = await createNamed("x", "y");
  const { versionId } = await fixture.publish(surveyId);
  const [x] = elements;
  await rename(x!.id, "z");
  const [taker] = await fixture.add(surveyId, { questions: [named("X")] });
  answer(taker!.questionId);
  await fixture.client.restoreVersion({ surveyId, versionId, ifMatch: ["*"] }, as());
  expect(await namesOf(surveyId)).toEqual(["x", "y"]);
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(false);
  const retired = await fixture.sql("SELECT question FROM retired_elements WHERE survey_id = $1", [surveyId]);
  expect(retired).toMatchObject([{ question: { elementId: taker!.elementId } }]);
  expect(retired[0]!["question"]).not.toHaveProperty("name");
  expect(await refusal(fixture.add(surveyId, { questions: [named("X")] }))).toMatchObject({
    details: { "questions.0.name": [taken] },
  });
});

test("an element that got answers after it left the draft is retired without a name that was given since", async () => {
  const { surveyId, elements } = await createNamed("x", "y");
  await fixture.publish(surveyId);
  await fixture.remove(elements[0]!.id);
  const [taker] = await fixture.add(surveyId, { questions: [named("X")] });
  answer(elements[0]!.questionId);
  await fixture.publish(
    surveyId,
    "*",
    {},
    (await fixture.changes(surveyId)).changes.map(({ changeId }) => changeId),
  );
  const retired = await fixture.sql("SELECT question FROM retired_elements WHERE survey_id = $1", [surveyId]);
  expect(retired).toMatchObject([{ question: { elementId: elements[0]!.id } }]);
  expect(retired[0]!["question"]).not.toHaveProperty("name");
  const { documentJson: bodyJson } = await fixture.client.getDocument({ surveyId }, as());
  await fixture.client.replaceDocument({ surveyId, ifMatch: ["*"], bodyJson }, as());
  await rename(taker!.elementId, "other");
  await rename(taker!.elementId, "x");
});

test("a document holds names and codes, and comes back equal, byte for byte", async () => {
  const { surveyId } = await fixture.create({ name: "Document", questions: [colours, named("second")] });
  const { documentJson } = await fixture.client.getDocument({ surveyId }, as());
  expect(JSON.parse(documentJson).pages[0].elements).toMatchObject([
    { name: "colour", choices: [{ code: "1", text: "Red" }, { code: "2" }, { text: "Green" }] },
    { name: "second" },
  ]);
  const { survey } = await fixture.client.importSurvey({ bodyJson: documentJson }, as());
  const copy = await fixture.client.getDocument({ surveyId: survey!.surveyId }, as());
  expect(copy.documentJson).toBe(documentJson);
  const { etag } = await fixture.read(surveyId);
  const same = await fixture.client.replaceDocument({ surveyId, ifMatch: ["*"], bodyJson: documentJson }, as());
  expect(same.survey!.etag).toBe(etag);
});

test("a document may exchange names, and may not take that of an answered element that it leaves out", async () => {
  const { surveyId, elements } = await createNamed("one", "two", "three");
  await fixture.publish(surveyId);
  answer(elements[2]!.questionId);
  const { documentJson } = await fixture.client.getDocument({ surveyId }, as());
  const document = JSON.parse(documentJson);
  const [one, two, three] = document.pages[0].elements;
  const replace = (...list: object[]) => {
    const bodyJson = JSON.stringify({ ...document, pages: [{ ...document.pages[0], elements: list }] });
    return fixture.client.replaceDocument({ surveyId, ifMatch: ["*"], bodyJson }, as());
  };
  await replace({ ...one, name: "two" }, { ...two, name: "one" }, three);
  const swapped = await fixture.elements(surveyId);
  expect(swapped.map(({ id, name }) => [id, name])).toEqual([
    [elements[0]!.id, "two"],
    [elements[1]!.id, "one"],
    [elements[2]!.id, "three"],
  ]);
  const refused = refusal(replace(one, two, { ...three, key: "new", name: "THREE" }));
  expect(await refused).toMatchObject({ details: { "pages.0.elements.2.name": [taken] } });
  await replace(one, two);
  expect(await refusal(replace(one, { ...two, name: "Three" }))).toMatchObject({
    details: { "pages.0.elements.1.name": [taken] },
  });
  // The element itself comes back with its name, or another takes it once it has a new one.
  await replace({ ...one, name: "three" }, two, { ...three, name: "four" });
  expect(await namesOf(surveyId)).toEqual(["three", "two", "four"]);
});

test("a question without a name has the digest of releases before names", async () => {
  const { surveyId } = await fixture.create({ name: "Plain", questions: [question("a")] });
  const digest = (columns: string) => `md5(element_id || ' ' || question_id || ' ' || type::text || ' '
    || quote_nullable(question_text) || quote_nullable(help_text) || type_settings::text || response_validation::text
    || '---' ${columns})`;
  const read = `SELECT digest = ${digest("")} AS plain, digest = ${digest("|| ' stars'")} AS named FROM elements WHERE survey_id = $1`;
  expect(await fixture.sql(read, [surveyId])).toEqual([{ plain: true, named: false }]);
  const [element] = await fixture.elements(surveyId);
  await rename(element!["id"], "stars");
  expect(await fixture.sql(read, [surveyId])).toEqual([{ plain: false, named: true }]);
  await rename(element!["id"], null);
  expect(await fixture.sql(read, [surveyId])).toEqual([{ plain: true, named: false }]);
});
