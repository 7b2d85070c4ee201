import { expect, test } from "vitest";
import { countingIds, idsOf } from "../../test/sample-question.ts";
import { ask, linesOf, page } from "../../test/sample-survey.ts";
import type { SurveyDefinition } from "../definition.ts";
import { finish } from "../finish.ts";
import { buildQuestions } from "../new-questions.ts";
import { readNamedQuotas } from "../quotas/quota-input.ts";
import { quotaViolations } from "../quotas/quota-violations.ts";
import { patchPage } from "../structure/patch-page.ts";
import { checkCondition } from "./check-condition.ts";
import type { Condition } from "./condition.ts";
import { conditionInput } from "./condition-input.ts";
import { conditionResolver, resolveConditions } from "./named-conditions.ts";

const drink = { ...ask("drink", "multiple_choice"), name: "Drink" };
const [tea] = drink.choices!.map(({ id, text }) => ({ id, text })) as [{ id: string; text: string }];
const age = { ...ask("age", "number"), name: "age_now" };
const survey: SurveyDefinition = {
  pages: [page("p1", [drink, age]), page("p2", [ask("why")]), page("p3", [ask("end")])],
};
const as = (condition: unknown) => condition as Condition;

test.each([
  [
    { name: "drink", operator: "answered" },
    { elementId: "drink", operator: "answered" },
  ],
  [
    { name: "AGE_NOW", operator: "equals", value: 3 },
    { elementId: "age", operator: "equals", value: 3 },
  ],
  [
    { name: "age_now", operator: "equals", answerOf: "x" },
    { elementId: "age", operator: "equals", answerOf: "x" },
  ],
  [
    { name: "Drink", operator: "equals", value: tea.text },
    { elementId: "drink", operator: "equals", value: tea.id },
  ],
  [
    { name: "Drink", operator: "in", value: [tea.text, "x"] },
    { elementId: "drink", operator: "in", value: [tea.id, "x"] },
  ],
  [
    { name: "none", operator: "answered" },
    { name: "none", operator: "answered" },
  ],
  [
    {
      not: {
        any: [
          { name: "drink", operator: "answered" },
          { field: "f", operator: "answered" },
        ],
      },
    },
    {
      not: {
        any: [
          { elementId: "drink", operator: "answered" },
          { field: "f", operator: "answered" },
        ],
      },
    },
  ],
])("%j is read as %j", (written, stored) => {
  expect(conditionResolver(survey)(as(written))).toEqual(stored);
});

test("conditions without names stay the same objects", () => {
  const showIf = as({ all: [{ elementId: "drink", operator: "answered" }] });
  const question = { ...ask("why"), logic: { showIf, entries: { a: showIf } } };
  const resolve = conditionResolver(survey);
  expect(resolve(showIf)).toBe(showIf);
  expect(resolveConditions(question, resolve)).toBe(question);
});

test("a comparison has a name or an id, not both and not neither", () => {
  const violationsOf = (condition: unknown) => {
    const violations: { path: string; message: string }[] = [];
    checkCondition(conditionInput, condition, "when", violations);
    return violations.map(({ path }) => path);
  };
  expect(violationsOf({ name: "drink", operator: "answered" })).toEqual([]);
  expect(violationsOf({ name: "drink", elementId: "a".repeat(16), operator: "answered" })).toEqual(["when.elementId"]);
  expect(violationsOf({ name: 7, operator: "like" }).toSorted()).toEqual(["when.name", "when.operator"]);
  expect(violationsOf({ operator: "answered" })).toEqual(["when.elementId"]);
  expect(violationsOf({ name: "a", field: "b", operator: "answered" })).toEqual(["when.name"]);
});

test("questions name each other, and every condition of theirs is stored with ids", () => {
  const named = { name: "b", operator: "answered" };
  const built = buildQuestions(
    [
      {
        type: "number",
        text: "n",
        name: "B",
        constraints: [{ must: { name: "b", operator: "at_least", value: 1 }, message: "No." }],
      },
      { type: "dropdown", text: "d", choices: [{ text: "x", showIf: named }, "y"], showIf: named, requiredIf: named },
    ],
    countingIds(),
  );
  if ("violations" in built) throw new Error(JSON.stringify(built.violations));
  const [first, second] = built.questions.map(({ question }) => question);
  const stored = { elementId: first!.elementId, operator: "answered" };
  expect(first!.logic?.constraints?.[0]?.must).toEqual({ elementId: first!.elementId, operator: "at_least", value: 1 });
  const entries = { [idsOf(second!.choices)[0]!]: stored };
  expect(second!.logic).toEqual({ showIf: stored, requiredIf: stored, entries });
});

test("pages and quotas accept names, and every violation is at the path of the input", () => {
  const rules = (when: unknown[]) => ({ skipLogic: when.map((each) => ({ when: each, goTo: "p3" })) });
  const patched = finish(patchPage(survey, "p2", rules([{ name: "drink", operator: "answered" }])));
  if ("violations" in patched) throw new Error(JSON.stringify(patched.violations));
  expect(patched.definition.pages[1]!.skipLogic[0]!.when).toEqual({ elementId: "drink", operator: "answered" });
  const wrong = [
    { name: "none", operator: "answered" },
    {
      all: [
        { name: "drink", operator: "equals", value: "?" },
        { name: "nil", operator: "answered" },
      ],
    },
  ];
  const refused = finish(patchPage(survey, "p2", rules(wrong)));
  const places = ["0.when.name", "1.when.all.0.value", "1.when.all.1.name"];
  const refusedAt = "violations" in refused ? refused.violations.map(({ path }) => path) : [];
  expect(refusedAt).toEqual(places.map((place) => `skipLogic.${place}`));
  const later = { ...survey, pages: [survey.pages[1]!, survey.pages[0]!] };
  const early = finish(patchPage(later, "p2", { showIf: { name: "drink", operator: "answered" } }));
  expect("violations" in early && early.violations.map(({ path }) => path)).toEqual(["showIf.name"]);
  const quotas = readNamedQuotas(
    wrong.map((when, at) => ({ name: `q${at}`, when: as(when), limit: 1, onFull: "close" })),
    survey,
    countingIds(),
  );
  expect(linesOf(quotaViolations({ ...survey, quotas }, "quotas")).map((line) => line.split(" ", 1)[0])).toEqual(
    places.map((place) => `quotas.${place}`),
  );
});
