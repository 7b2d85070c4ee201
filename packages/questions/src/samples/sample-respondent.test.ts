import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ask, page, rule } from "../../test/sample-survey.ts";
import { surveys } from "../../test/survey-arbitrary.ts";
import { findAnswerPlace } from "../definition-index.ts";
import { isReachable, missingRequired, reachablePages } from "../logic.ts";
import type { Random } from "./random.ts";
import { sampleFields } from "./sample-fields.ts";
import { sampleRespondent } from "./sample-respondent.ts";

/** Returns evenly spread numbers, the same for the same seed. */
function numbersFrom(seed: number): Random {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
const seeds = fc.integer({ min: 1, max: 2_147_483_646 });

test("for any loops and skip logic, generated answers follow the path, are accepted, and are complete", () => {
  let whole = 0;
  fc.assert(
    fc.property(surveys, seeds, (definition, seed) => {
      const context = { fields: sampleFields(definition.fields ?? [], numbersFrom(seed)), language: "de-AT" };
      const { answers, completes, pageId } = sampleRespondent(definition, numbersFrom(seed), context);
      for (const [key, value] of answers) {
        const { question, type } = findAnswerPlace(definition, key)!;
        expect(type.checkValue(question, value)).toEqual([]);
        expect(isReachable(definition, answers, key)).toBe(true);
      }
      if (!completes) return;
      whole++;
      expect([...missingRequired(definition, answers)]).toEqual([]);
      const last = reachablePages(definition, answers).at(-1);
      expect(pageId?.split(":")).toEqual([last!.page.pageId, ...(last!.itemId === null ? [] : [last!.itemId])]);
    }),
    { numRuns: 500 },
  );
  expect(whole).toBeGreaterThan(200);
});

test("the same numbers give the same respondent", () => {
  fc.assert(
    fc.property(surveys, seeds, (definition, seed) => {
      const [one, same] = [
        sampleRespondent(definition, numbersFrom(seed)),
        sampleRespondent(definition, numbersFrom(seed)),
      ];
      expect(one).toEqual(same);
    }),
  );
});

test("some leave early, some optional questions stay empty, and every way is gone by somebody", () => {
  const sources = ask("many", "multiple_choice", { choices: ["A", "B", "C"], multipleAnswers: true, required: true });
  const definition = {
    pages: [
      page("first", [sources, ask("ever", "yes_no", { required: true })], {
        skipLogic: [rule("ever", "equals", false, "last")],
      }),
      page("each", [ask("why", "short_text")], { loop: { elementId: "many" } }),
      page("last", [ask("stars", "rating")]),
    ],
  };
  const random = numbersFrom(1);
  const people = Array.from({ length: 1_000 }, () => sampleRespondent(definition, random));
  const part = (holds: (person: (typeof people)[number]) => boolean) => people.filter(holds).length / people.length;
  expect(part(({ completes }) => completes)).toBeGreaterThan(0.85);
  expect(part(({ completes }) => completes)).toBeLessThan(0.97);
  expect(part(({ answers }) => answers.get("ever") === false)).toBeGreaterThan(0.2);
  expect(part(({ answers }) => [...answers.keys()].some((key) => key.startsWith("why:")))).toBeGreaterThan(0.4);
  const empty = part(({ answers, completes }) => completes && !answers.has("stars"));
  expect(empty).toBeGreaterThan(0.08);
  expect(empty).toBeLessThan(0.22);
});

test("of carried choices those are chosen that are shown, however many, also where more would have to be", () => {
  const asked = { choices: ["A", "B", "C"], required: true };
  const many = ask("many", "multiple_choice", { ...asked, multipleAnswers: true });
  const carry = (elementId: string, type: string, fields: object = {}) => {
    const { choices: _, ...question } = ask(elementId, type, { ...asked, ...fields });
    return { ...question, logic: { choicesFrom: { elementId: "many", which: "selected" as const } } };
  };
  const best = carry("best", "multiple_choice", { multipleAnswers: true, typeSettings: { minSelections: 3 } });
  const order = carry("order", "ranking");
  const definition = { pages: [page("p", [many, best, order])] };
  const random = numbersFrom(3);
  const people = Array.from({ length: 300 }, () => sampleRespondent(definition, random));
  expect(people.filter(({ stuckAt }) => stuckAt !== null)).toEqual([]);
  const ids = (value: unknown) => new Set(value as string[]);
  for (const { answers } of people.filter(({ completes }) => completes)) {
    const chosen = ids(answers.get("many"));
    expect([ids(answers.get("best")), ids(answers.get("order"))]).toEqual([chosen, chosen]);
  }
});

test("constraints on earlier answers are fulfilled, and impossible ones are reported", () => {
  const from = ask("from", "number", { required: true, typeSettings: { min: 0, max: 100, decimals: 0 } });
  const to = ask("to", "number", { required: true, typeSettings: { min: 0, max: 100, decimals: 0 } });
  const must = { elementId: "to", operator: "greater_than" as const, answerOf: "from" };
  const constraints = [{ must, message: "later" }];
  const random = numbersFrom(2);
  const people = (second: typeof to) =>
    Array.from({ length: 300 }, () => sampleRespondent({ pages: [page("p", [from, second])] }, random));
  const met = people({ ...to, logic: { constraints } });
  expect(met.filter(({ stuckAt }) => stuckAt !== null)).toEqual([]);
  const whole = met.filter(({ completes }) => completes);
  expect(whole.length).toBeGreaterThan(240);
  expect(whole.every(({ answers }) => Number(answers.get("to")) > Number(answers.get("from")))).toBe(true);
  const never = { must: { elementId: "to", operator: "greater_than" as const, value: 100 }, message: "never" };
  const stuck = people({ ...to, logic: { constraints: [never] } });
  expect(stuck.some(({ completes }) => completes)).toBe(false);
  expect(new Set(stuck.map(({ stuckAt }) => stuckAt))).toEqual(new Set(["to", null]));
});
