import { weightLimits } from "@canvass/questions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { question, refusal, startSurveyFixture, type SurveyFixture } from "./survey-fixture.ts";

let fixture: SurveyFixture;
let ids: Record<"surveyId" | "pageId" | "lastPageId" | "choice" | "text" | "nps" | "rating" | "questionId", string>;
let choiceIds: string[];
const absent = "0000000000000000";

beforeAll(async () => {
  fixture = await startSurveyFixture();
  const { surveyId } = await fixture.create({ name: "Survey" });
  const [choice, text, nps, rating, last] = await fixture.add(surveyId, {
    questions: [
      { type: "multiple_choice", text: "Which?", choices: ["a", "b"] },
      question("b"),
      { type: "nps", text: "-" },
      { type: "rating", text: "How?" },
      question("last", { pageTitle: "Last" }),
    ],
  });
  choiceIds = choice!.choices.map(({ id }) => id);
  ids = {
    surveyId,
    pageId: choice!.pageId,
    lastPageId: last!.pageId,
    choice: choice!.elementId,
    text: text!.elementId,
    nps: nps!.elementId,
    rating: rating!.elementId,
    questionId: choice!.questionId,
  };
});
afterAll(() => fixture[Symbol.asyncDispose]());

type Edit = Parameters<SurveyFixture["edit"]>[1];
const settings = (body: unknown): Edit => ({ edit: "settings", body });
const choice = (value: object): Edit => ({
  edit: "choice",
  body: { choiceId: null, questionId: ids.questionId, newTitle: "x", ...value },
});
const remove = (choiceId: string): Edit => ({ edit: "deleteChoice", body: { choiceId } });
const order = (...ids: string[]): Edit => ({ edit: "choiceOrder", body: { choiceIds: ids } });
const rule = (fields: object) => ({ when: { elementId: ids.choice, operator: "answered" }, goTo: "end", ...fields });

const edits: [name: string, element: () => string, edit: () => Edit, code: string, places: string[]][] = [
  ["an edit of another version", () => ids.choice, () => ({ edit: "", body: {} }), "service_unavailable", []],
  ["an element that is not there", () => absent, () => settings({ settings: {} }), "element_not_found", []],
  ["a malformed id", () => "nothing", () => settings({ settings: {} }), "element_not_found", []],
  [
    "an unknown field and no settings, for an element that is not there",
    () => absent,
    () => settings({ surprise: 1 }),
    "validation_failed",
    ["settings", "surprise"],
  ],
  [
    "many violations at once",
    () => ids.choice,
    () => settings({ settings: { typeSettings: { shuffle: 1, nope: 2 }, responseValidation: [] }, questionText: "" }),
    "validation_failed",
    ["questionText", "settings.typeSettings.shuffle", "settings.typeSettings.nope", "settings.responseValidation"],
  ],
  ["a body that is no object", () => ids.choice, () => settings([]), "validation_failed", ["body"]],
  [
    "a choice that is not there",
    () => ids.choice,
    () => choice({ choiceId: absent }),
    "validation_failed",
    ["choiceId"],
  ],
  ["another question", () => ids.choice, () => choice({ questionId: absent }), "validation_failed", ["questionId"]],
  ["a title that shows nothing", () => ids.choice, () => choice({ newTitle: " " }), "validation_failed", ["newTitle"]],
  [
    "an image where there are none",
    () => ids.choice,
    () => choice({ imageUrl: "https://x.org/a" }),
    "validation_failed",
    ["imageUrl"],
  ],
  ["choices of a text", () => ids.text, () => order(absent), "validation_failed", ["elementId"]],
  ["an order that lacks a choice", () => ids.choice, () => order(choiceIds[0]!), "validation_failed", ["choiceIds"]],
  ["a choice twice", () => ids.choice, () => order(...choiceIds, choiceIds[0]!), "validation_failed", ["choiceIds.2"]],
  [
    "no choices",
    () => ids.choice,
    () => ({ edit: "choices", body: { choices: [] } }),
    "validation_failed",
    ["choices"],
  ],
  ["a choice to delete that is not there", () => ids.choice, () => remove(absent), "choice_not_found", []],
  [
    "a picture of a question that has none",
    () => ids.choice,
    () => ({ edit: "deleteImageChoice", body: { choiceId: choiceIds[0]! } }),
    "validation_failed",
    ["elementId"],
  ],
  [
    "an NPS label of a rating",
    () => ids.rating,
    () => ({ edit: "npsLabel", body: { side: "left", text: "x" } }),
    "validation_failed",
    ["elementId"],
  ],
  [
    "an unknown side",
    () => ids.nps,
    () => ({ edit: "npsLabel", body: { side: "top", text: "x" } }),
    "validation_failed",
    ["side"],
  ],
  ["nothing to set", () => ids.nps, () => ({ edit: "npsSettings", body: {} }), "invalid_request", ["body"]],
  [
    "too many steps",
    () => ids.rating,
    () => ({ edit: "ratingSettings", body: { steps: 11 } }),
    "validation_failed",
    ["steps"],
  ],
  [
    "a position beyond the steps",
    () => ids.rating,
    () => ({ edit: "ratingLabel", body: { position: 6, text: "x" } }),
    "validation_failed",
    ["position"],
  ],
];

test.each(edits)("an edit is refused and writes nothing: %s", async (_, element, edit, code, places) => {
  const before = await fixture.read(ids.surveyId);
  const refused = await refusal(fixture.edit(element(), edit()));
  expect([refused.code, Object.keys(refused.details).sort()]).toEqual([code, places.toSorted()]);
  expect((await fixture.read(ids.surveyId)).etag).toBe(before.etag);
});

test("a stale tag is reported before violations of the content, and after those of its shape", async () => {
  const stale = ['"stale"'];
  expect((await refusal(fixture.edit(ids.choice, choice({ choiceId: absent }), stale))).code).toBe(
    "precondition_failed",
  );
  expect((await refusal(fixture.edit(ids.choice, choice({ newTitle: " " }), stale))).code).toBe("validation_failed");
  expect((await refusal(fixture.edit(ids.choice, settings({ settings: { choices: ["x"] } }), stale))).code).toBe(
    "precondition_failed",
  );
  expect((await refusal(fixture.remove(ids.choice, stale))).code).toBe("precondition_failed");
});

const patches: [name: string, patch: () => unknown, code: string, places: string[]][] = [
  ["nothing to change", () => ({}), "invalid_request", ["body"]],
  [
    "wrong in every field",
    () => ({ title: 1, loop: 2, skipLogic: 3, surprise: 4 }),
    "validation_failed",
    ["title", "loop", "skipLogic", "surprise"],
  ],
  ["a jump back", () => ({ skipLogic: [rule({ goTo: ids.pageId })] }), "validation_failed", ["skipLogic.0.goTo"]],
  ["a jump into nowhere", () => ({ skipLogic: [rule({ goTo: absent })] }), "validation_failed", ["skipLogic.0.goTo"]],
  [
    "an operator that does not fit",
    () => ({ skipLogic: [rule({ when: { elementId: ids.text, operator: "greater_than", value: 1 } })] }),
    "validation_failed",
    ["skipLogic.0.when.operator"],
  ],
  ["a loop for one answer", () => ({ loop: { elementId: ids.choice } }), "validation_failed", ["loop.elementId"]],
];

test.each(patches)("a patch of a page is refused: %s", async (_, patch, code, places) => {
  const { surveyId, lastPageId } = ids;
  const before = await fixture.read(surveyId);
  const refused = await refusal(fixture.patchPage(surveyId, lastPageId, patch()));
  expect([refused.code, Object.keys(refused.details).sort()]).toEqual([code, places.toSorted()]);
  expect((await fixture.read(surveyId)).etag).toBe(before.etag);
});

test("pages of missing surveys, and pages that a survey lacks, are not found", async () => {
  const { surveyId, pageId } = ids;
  const other = await fixture.create({ name: "Other" });
  const codeOf = async (work: Promise<unknown>) => (await refusal(work)).code;
  expect(await codeOf(fixture.pages(absent))).toBe("survey_not_found");
  expect(await codeOf(fixture.pages("no id"))).toBe("survey_not_found");
  expect(await codeOf(fixture.patchPage(absent, pageId, { title: "x" }))).toBe("survey_not_found");
  expect(await codeOf(fixture.patchPage(other.surveyId, pageId, { title: "x" }))).toBe("page_not_found");
  expect(await codeOf(fixture.patchPage(surveyId, "no id", { title: "x" }))).toBe("page_not_found");
  expect(await codeOf(fixture.order(absent, pageId, [ids.text]))).toBe("survey_not_found");
});

const orders: [name: string, elementIds: () => string[], places: string[]][] = [
  ["nothing", () => [], ["elementIds"]],
  [
    "one left out, one twice, one of nowhere",
    () => [ids.choice, ids.choice, absent],
    ["elementIds", "elementIds.1", "elementIds.2"],
  ],
];

test.each(orders)("an order is refused: %s", async (_, elementIds, places) => {
  const { code, details } = await refusal(fixture.order(ids.surveyId, ids.pageId, elementIds()));
  expect([code, Object.keys(details).sort()]).toEqual(["validation_failed", places]);
});

test("an order that names an unknown page is refused", async () => {
  expect((await refusal(fixture.order(ids.surveyId, absent, [ids.text]))).details).toEqual({
    pageId: ["is not one of the survey's pages"],
  });
});

test("an edit that makes the survey too heavy is refused", async () => {
  const { surveyId } = await fixture.create({ name: "Heavy" });
  const long = {
    type: "dropdown",
    text: "?",
    choices: Array.from({ length: 1_000 }, (_, at) => `${at}`.padEnd(500, "x")),
  };
  for (let added = 0; added < 7; added++) await fixture.add(surveyId, { questions: [long] });
  const [small] = await fixture.add(surveyId, { questions: [{ ...long, choices: ["a", "b"] }] });
  const choices = long.choices.map((title) => ({ choiceId: null, title }));
  const refused = await refusal(fixture.edit(small!.elementId, { edit: "choices", body: { choices } }));
  expect(refused.details).toEqual({ body: [expect.stringContaining(`${weightLimits.definitionBytes} bytes`)] });
  await fixture.edit(small!.elementId, { edit: "choices", body: { choices: choices.slice(0, 100) } });
});
