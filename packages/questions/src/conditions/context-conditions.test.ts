import { expect, test } from "vitest";
import { ask, page } from "../../test/sample-survey.ts";
import type { SurveyDefinition } from "../definition.ts";
import { withLogic } from "../element-logic.ts";
import { brokenConstraints } from "../logic.ts";
import { reachedKeys } from "../../test/reached-keys.ts";
import { matchingQuotas } from "../quotas/matching-quotas.ts";
import { checkDefinition, checkingDefinition } from "../structure/check-definition.ts";
import { finish } from "../finish.ts";
import { checkCondition } from "./check-condition.ts";
import { conditionInput } from "./condition-input.ts";
import type { Condition } from "./condition.ts";

const fields: SurveyDefinition["fields"] = [
  { name: "plan", type: "text" },
  { name: "age", type: "number" },
];
const known = (given: Record<string, string | number>, language = "", answers: [string, unknown][] = []) =>
  Object.assign(new Map(answers), { context: { fields: given, language } });
const asking = (showIf: Condition): SurveyDefinition => ({
  fields,
  pages: [page("p", [withLogic(ask("asked"), { showIf }), ask("other")])],
});
const isShown = (showIf: Condition, context: Parameters<typeof known>) =>
  reachedKeys(asking(showIf), known(...context)).has("asked");

test.each<[Condition, Parameters<typeof known>, boolean]>([
  [{ field: "plan", operator: "equals", value: "PRO" }, [{ plan: "pro" }], true],
  [{ field: "plan", operator: "equals", value: "pro" }, [{}], false],
  [{ field: "plan", operator: "not_equals", value: "pro" }, [{}], true],
  [{ field: "plan", operator: "answered" }, [{ plan: "" }], false],
  [{ field: "plan", operator: "not_answered" }, [{ plan: "x" }], false],
  [{ field: "age", operator: "between", value: [18, 30] }, [{ age: 30 }], true],
  [{ field: "age", operator: "in", value: [1, 2] }, [{ age: 0 }], false],
  [{ field: "constructor", operator: "answered" }, [{}], false],
  [{ language: true, operator: "equals", value: "de" }, [{}, "de-AT"], true],
  [{ language: true, operator: "equals", value: "DE-at" }, [{}, "de-AT"], true],
  [{ language: true, operator: "equals", value: "de-AT" }, [{}, "de"], false],
  [{ language: true, operator: "equals", value: "de" }, [{}, "den"], false],
  [{ language: true, operator: "in", value: ["fr", "de"] }, [{}, "de"], true],
  [{ language: true, operator: "not_in", value: ["fr", "de"] }, [{}, "de"], false],
  [{ language: true, operator: "not_equals", value: "de" }, [{}, ""], true],
  [{ language: true, operator: "answered" }, [{}, ""], false],
  [
    { all: [{ language: true, operator: "equals", value: "de" }, { not: { field: "age", operator: "answered" } }] },
    [{}, "de"],
    true,
  ],
])("%j holds for %j: %s", (condition, context, holds) => {
  expect(isShown(condition, context)).toBe(holds);
});

test("constraints and quotas compare with fields; an absent field breaks no constraint", () => {
  const must: Condition = { field: "age", operator: "at_least", value: 18 };
  const definition: SurveyDefinition = {
    fields,
    pages: [page("p", [withLogic(ask("name"), { constraints: [{ must, message: "Adults only." }] })])],
    quotas: [{ quotaId: "q", name: "adults", when: must, limit: 1, onFull: "close", message: null }],
  };
  expect(checkDefinition(definition)).toEqual([]);
  const outcome = (given: Record<string, number>) => [
    [...brokenConstraints(definition, known(given))].length,
    matchingQuotas(definition, known(given)).length,
  ];
  expect([outcome({ age: 17 }), outcome({ age: 18 }), outcome({})]).toEqual([
    [1, 0],
    [0, 1],
    [0, 0],
  ]);
});

test("violations name every wrong field, operator, value and language at its place", () => {
  const showIf: Condition = {
    all: [
      { field: "Plan", operator: "equals", value: "pro" },
      { field: "plan", operator: "greater_than", value: 1 },
      { field: "age", operator: "equals", value: "12" },
      { field: "age", operator: "between", value: [2, 1] },
      { field: "age", operator: "answered", value: 1 },
      { language: true, operator: "contains", value: "de" },
      { language: true, operator: "in", value: ["de", "not a tag"] },
      { language: true, operator: "equals" },
      { language: true, operator: "equals", value: "fr" },
    ],
  };
  const issues = finish(checkingDefinition(asking(showIf), { languages: ["en", "de"] }));
  expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(["display_logic_broken"]));
  expect(issues.map(({ path }) => path.replace("pages.0.elements.0.showIf.all.", "")).toSorted()).toEqual([
    "0.field",
    "1.operator",
    "2.value",
    "3.value",
    "4.value",
    "5.operator",
    "6.value",
    "6.value",
    "7.value",
    "8.value",
  ]);
});

test("a choice shown in a language that the survey does not offer keeps it from being published", () => {
  const question = ask("asked", "dropdown", { choices: ["x", "y"] });
  const showIf: Condition = { language: true, operator: "equals", value: "fr" };
  const conditional = withLogic(question, { entries: { [question.choices![1]!.id]: showIf } });
  const issues = finish(checkingDefinition({ pages: [page("p", [conditional])] }, { languages: ["en", "de"] }));
  expect(issues.map(({ path }) => path)).toEqual(["pages.0.elements.0.choices.1.showIf.value"]);
});

test("a comparison has one subject, and only an element's answer compares with another", () => {
  const violationsOf = (condition: unknown) => {
    const violations: { path: string }[] = [];
    checkCondition(conditionInput, condition, "when", violations as never);
    return violations.map(({ path }) => path).toSorted();
  };
  expect(violationsOf({ field: "plan", elementId: "a".repeat(16), operator: "answered" })).toEqual(["when.elementId"]);
  expect(violationsOf({ field: "plan", language: true, operator: "answered" })).toEqual(["when.language"]);
  expect(violationsOf({ language: false, operator: "answered" })).toEqual(["when.language"]);
  expect(violationsOf({ language: true, operator: "equals", answerOf: "a".repeat(16) })).toEqual(["when.answerOf"]);
  expect(violationsOf({ field: 7, operator: "is" })).toEqual(["when.field", "when.operator"]);
  expect(violationsOf({ field: "plan", operator: "equals", value: "pro" })).toEqual([]);
});
