import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, page, rule } from "../../test/sample-survey.ts";
import { idsOf } from "../../test/sample-question.ts";
import type { Condition } from "../conditions/condition.ts";
import type { SurveyDefinition } from "../definition.ts";
import { reachedKeys } from "../../test/reached-keys.ts";
import { decidedQuotas, matchingQuotas } from "./matching-quotas.ts";
import type { Quota } from "./quota.ts";

function quota(name: string, when: Condition): Quota {
  return { quotaId: name.padEnd(16, "0"), name, when, limit: 10, onFull: "close", message: null };
}

const is = (elementId: string, value: unknown): Condition => ({ elementId, operator: "equals", value });
const given = (answers: Record<string, unknown>) => new Map(Object.entries(answers));
const names = (quotas: readonly Quota[]) => quotas.map(({ name }) => name);

const men = quota("men", is("sex", "m"));
const youngMen = quota("youngMen", { all: [is("sex", "m"), { elementId: "age", operator: "less_than", value: 30 }] });
const silent = quota("silent", { elementId: "why", operator: "not_answered" });
const linear: SurveyDefinition = {
  pages: [page("p1", [ask("sex")]), page("p2", [ask("age", "number")]), page("p3", [ask("why")])],
  quotas: [men, youngMen, silent],
};

describe("matching", () => {
  test.each([
    [{}, ["silent"]],
    [{ sex: "m" }, ["men", "silent"]],
    [{ sex: "m", age: 29, why: "x" }, ["men", "youngMen"]],
    [{ sex: "f", age: 29, why: "x" }, []],
  ])("%j: %j", (answers, expected) => {
    expect(names(matchingQuotas(linear, given(answers)))).toEqual(expected);
  });

  test("a survey without quotas has none, and its path is not walked", () => {
    const unread = { get: () => expect.unreachable() };
    expect(matchingQuotas({ pages: linear.pages }, unread)).toEqual([]);
    expect(matchingQuotas({ ...linear, quotas: [] }, unread)).toEqual([]);
  });

  test("answers on skipped pages do not count", () => {
    const pages = [
      page("p1", [ask("sex")], { skipLogic: [rule("sex", "equals", "f", "p3")] }),
      page("p2", [ask("age", "number")]),
      page("p3", [ask("why")]),
    ];
    const definition = { pages, quotas: [quota("aged", { elementId: "age", operator: "answered" })] };
    expect(names(matchingQuotas(definition, given({ sex: "m", age: 5 })))).toEqual(["aged"]);
    expect(names(matchingQuotas(definition, given({ sex: "f", age: 5 })))).toEqual([]);
  });

  test("answers to items that a loop no longer has do not count", () => {
    const fruits = ask("fruits", "multiple_choice", { typeSettings: { multipleAnswers: true } });
    const [apple, pear] = idsOf(fruits.choices) as [string, string];
    const pages = [page("p1", [fruits]), page("p2", [ask("taste")], { loop: { elementId: "fruits" } })];
    const definition = { pages, quotas: [quota("sweet", is("taste", "sweet"))] };
    const answers = { [`taste:${pear}`]: "sweet" };
    expect(names(matchingQuotas(definition, given({ ...answers, fruits: [apple, pear] })))).toEqual(["sweet"]);
    expect(names(matchingQuotas(definition, given({ ...answers, fruits: [apple] })))).toEqual([]);
  });
});

describe("decided", () => {
  test.each([
    ["p1", { sex: "m", age: 20 }, ["men"]],
    ["p2", { sex: "m", age: 20 }, ["men", "youngMen"]],
    ["p3", { sex: "m", age: 20 }, ["men", "youngMen", "silent"]],
    ["p1", { sex: "f" }, []],
    ["elsewhere", { sex: "m" }, []],
  ])("after %s with %j: %j", (visit, answers, expected) => {
    expect(names(decidedQuotas(linear, given(answers), visit))).toEqual(expected);
  });

  test("a page that repeats decides behind its last repetition only", () => {
    const fruits = ask("fruits", "multiple_choice", { typeSettings: { multipleAnswers: true } });
    const [apple, pear] = idsOf(fruits.choices) as [string, string];
    const pages = [
      page("p1", [fruits]),
      page("p2", [ask("taste")], { loop: { elementId: "fruits" } }),
      page("p3", [ask("why")]),
    ];
    const definition = { pages, quotas: [quota("sweet", is("taste", "sweet"))] };
    const answers = given({ fruits: [apple, pear], [`taste:${apple}`]: "sweet" });
    expect(names(decidedQuotas(definition, answers, `p2:${apple}`))).toEqual([]);
    expect(names(decidedQuotas(definition, answers, `p2:${pear}`))).toEqual(["sweet"]);
  });

  const word = fc.constantFrom("m", "f", "", undefined);

  test("decided quotas do not change by later answers or answers off the path", () => {
    const pages = [
      page("p1", [ask("a")], { skipLogic: [rule("a", "equals", "f", "p3")] }),
      page("p2", [ask("b")], { skipLogic: [rule("b", "equals", "f", "end")] }),
      page("p3", [ask("c")]),
    ];
    const leaf = fc.record({
      elementId: fc.constantFrom("a", "b", "c"),
      operator: fc.constantFrom("equals" as const, "not_equals" as const),
      value: fc.constantFrom("m", "f"),
    });
    const conditions = fc.array(
      fc.oneof(
        leaf,
        fc.array(leaf, { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(conditions, fc.tuple(word, word, word), fc.tuple(word, word, word), (whens, given, later) => {
        const definition = { pages, quotas: whens.map((when, index) => quota(`q${index}`, when)) };
        const answersOf = (values: readonly unknown[]) => new Map(["a", "b", "c"].map((key, at) => [key, values[at]]));
        for (const [at, visit] of ["p1", "p2", "p3"].entries()) {
          const answers = answersOf(given);
          const decided = decidedQuotas(definition, answers, visit);
          const afterwards = answersOf(given.map((value, index) => (index <= at ? value : later[index])));
          const stillMatching = matchingQuotas(definition, afterwards);
          expect(stillMatching).toEqual(expect.arrayContaining([...decided]));
          const reached = reachedKeys(definition, answers);
          const onPath = new Map([...answers].filter(([key]) => reached.has(key)));
          expect(matchingQuotas(definition, onPath)).toEqual(matchingQuotas(definition, answers));
        }
      }),
    );
  });
});
