import type { Condition, Quota } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { question, refusal, signedPerson, startSurveyFixture, type SurveyFixture } from "./survey-fixture.ts";

let fixture: SurveyFixture;
beforeAll(async () => void (fixture = await startSurveyFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

const as = () => callOptions({ signedCaller: signedPerson() });
const drink = { type: "dropdown", text: "Which?", name: "Drink", choices: [{ text: "Tea", code: "t" }, "Coffee"] };
const likesTea = { name: "drink", operator: "equals", value: "t" };
const quota = (when: object, rest: object = {}) => ({ name: "tea", when, limit: 2, onFull: "close", ...rest });
const quotasOf = async (surveyId: string) =>
  JSON.parse((await fixture.client.getQuotas({ surveyId }, as())).quotasJson) as Quota[];
const countSurveys = async () => (await fixture.sql("SELECT count(*)::int AS n FROM surveys"))[0]!["n"] as number;
const pathsOf = async (call: Promise<unknown>) => {
  const { code, details } = (await refusal(call)) as { code: string; details: object };
  return [code, ...Object.keys(details).toSorted()];
};

async function draft() {
  const { surveyId } = await fixture.create({ name: "Names", questions: [drink, question("Why?", { name: "why" })] });
  const elements = await fixture.elements(surveyId);
  const [asked, why] = elements.map(({ id }) => String(id)) as [string, string];
  return { surveyId, asked, why };
}

test("one request makes a survey with fields, conditions by name and quotas, which are stored with ids", async () => {
  const { surveyId } = await fixture.create({
    name: "Whole",
    fields: [{ name: "plan", type: "text" }],
    questions: [
      drink,
      question("Why tea?", { showIf: { all: [likesTea, { field: "plan", operator: "equals", value: "pro" }] } }),
    ],
    quotas: [quota(likesTea, { onFull: "message", message: "Enough of {{drink}}." })],
  });
  const [asked, why] = await fixture.elements(surveyId);
  const elementId = String(asked!["id"]);
  const { logicJson } = await fixture.element(String(why!["id"]));
  const [showIf] = (JSON.parse(logicJson) as { showIf: { all: Condition[] } }).showIf.all;
  expect(showIf).toMatchObject({ elementId, operator: "equals", value: expect.stringMatching(/^[0-9a-z]{16}$/) });
  expect(await quotasOf(surveyId)).toMatchObject([{ when: showIf, message: `Enough of {{${elementId}}}.`, limit: 2 }]);
  await fixture.edit(elementId, { edit: "settings", body: { settings: {}, name: "Beverage" } }, []);
  expect((await fixture.publish(surveyId)).versionId).toMatch(/^[0-9a-z]{16}$/);
});

test("wrong quotas of a new survey are refused with every violation, and write nothing", async () => {
  const before = await countSurveys();
  const create = (quotas: unknown, more: object = {}) =>
    pathsOf(fixture.create({ name: "Wrong", questions: [drink], quotas, ...more }));
  expect(await create([quota({ name: "x", operator: "is" }, { limit: 0 })], { type: "no" })).toEqual(
    expect.arrayContaining(["validation_failed", "type", "quotas.0.limit", "quotas.0.when.operator"]),
  );
  expect(
    await create([
      quota({
        any: [
          { name: "none", operator: "answered" },
          { ...likesTea, value: "?" },
        ],
      }),
      quota({ field: "plan", operator: "answered" }),
    ]),
  ).toEqual([
    "validation_failed",
    "quotas.0.when.any.0.name",
    "quotas.0.when.any.1.value",
    "quotas.1.name",
    "quotas.1.when.field",
  ]);
  expect(await create({})).toEqual(["validation_failed", "quotas"]);
  expect(await countSurveys()).toBe(before);
});

test("edits, pages, added questions and replaced quotas take the names of the draft", async () => {
  const { surveyId, asked, why } = await draft();
  await fixture.edit(why, { edit: "settings", body: { settings: {}, showIf: likesTea, requiredIf: likesTea } }, []);
  const { showIf, requiredIf } = JSON.parse((await fixture.element(why)).logicJson) as Record<string, Condition>;
  expect(showIf).toMatchObject({ elementId: asked, value: expect.stringMatching(/^[0-9a-z]{16}$/) });
  expect(requiredIf).toEqual(showIf);
  const [added] = await fixture.add(surveyId, {
    questions: [
      question("More?", { pageTitle: "Two", showIf: { all: [likesTea, { name: "WHY", operator: "answered" }] } }),
    ],
  });
  const both = { all: [showIf, { elementId: why, operator: "answered" }] };
  expect(added).toMatchObject({ showIf: both });
  const [, second] = await fixture.sql("SELECT page_id FROM pages WHERE survey_id = $1 ORDER BY sort_order", [
    surveyId,
  ]);
  const skipLogic = [{ when: { not: likesTea }, goTo: "end" }];
  const page = await fixture.patchPage(surveyId, String(second!["page_id"]), { showIf: likesTea, skipLogic });
  expect(JSON.parse(page.showIfJson)).toEqual(showIf);
  expect(JSON.parse(page.skipLogicJson)).toEqual([{ when: { not: showIf }, goTo: "end" }]);
  const quotas = JSON.stringify({ quotas: [quota(likesTea)] });
  await fixture.client.replaceQuotas({ surveyId, ifMatch: ["*"], bodyJson: quotas }, as());
  expect(await quotasOf(surveyId)).toMatchObject([{ when: showIf }]);
});

test("an unknown name, a later question's name, or a name together with an id is refused at its path", async () => {
  const { surveyId, asked, why } = await draft();
  const edit = (body: object) =>
    pathsOf(fixture.edit(asked, { edit: "settings", body: { settings: {}, ...body } }, []));
  expect(await edit({ showIf: { name: "none", operator: "answered" } })).toEqual(["validation_failed", "showIf.name"]);
  expect(await edit({ showIf: { name: "why", operator: "answered" } })).toEqual(["validation_failed", "showIf.name"]);
  expect(await edit({ requiredIf: { name: "why", elementId: why, operator: "answered" } })).toEqual([
    "validation_failed",
    "requiredIf.elementId",
  ]);
  const wrong = question("More?", {
    showIf: {
      any: [
        { name: "none", operator: "answered" },
        { ...likesTea, value: 1 },
      ],
    },
  });
  expect(await pathsOf(fixture.add(surveyId, { questions: [wrong, { type: "number" }] }))).toEqual(
    expect.arrayContaining(["questions.0.showIf.any.0.name", "questions.0.showIf.any.1.value", "questions.1.text"]),
  );
});
