import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idsOf, sampleQuestion } from "../test/sample-question.ts";
import { answerKey, parseAnswerKey } from "./answer-key.ts";
import { answerNumber, findAnswerPlace, findElement, findVisitedPage } from "./definition-index.ts";
import { operators, type Operator } from "./conditions/condition.ts";
import type { Page, Question, SkipRule, SurveyDefinition } from "./definition.ts";
import { isLastReachable, isReachable, missingRequired, newlyMissing, reachablePages } from "./logic.ts";

/** A question with a readable id. */
function ask(elementId: string, type = "short_text", fields: Record<string, unknown> = {}): Question {
  return { ...sampleQuestion(type, fields), elementId };
}

function page(pageId: string, elements: Question[], rest: Partial<Page> = {}): Page {
  return { pageId, title: null, loop: null, skipLogic: [], elements, ...rest };
}

function rule(elementId: string, operator: Operator, value: unknown, goTo: string): SkipRule {
  return { when: { elementId, operator, value }, goTo };
}

function way(definition: SurveyDefinition, answers: Record<string, unknown> = {}): string[] {
  return reachablePages(definition, new Map(Object.entries(answers))).map(({ page, itemId }) =>
    answerKey(page.pageId, itemId),
  );
}

const missing = (definition: SurveyDefinition, answers: Record<string, unknown> = {}) =>
  Array.from(missingRequired(definition, new Map(Object.entries(answers))), ({ key }) => key);

describe("without logic", () => {
  const required = { required: true };
  const definition = {
    pages: [
      page("p1", [ask("a", "short_text", required), ask("b")]),
      page("p2", [ask("c", "rating", required), ask("d", "statement")]),
    ],
  };

  test("every page is reached in order, and the way is computed once", () => {
    expect(way(definition)).toEqual(["p1", "p2"]);
    expect(reachablePages(definition, new Map())).toBe(reachablePages(definition, new Map([["a", 1]])));
  });

  test("required questions are missing until they are answered", () => {
    expect(missing(definition)).toEqual(["a", "c"]);
    expect(missing(definition, { a: "x" })).toEqual(["c"]);
    expect(missing(definition, { a: "", c: null })).toEqual(["a", "c"]);
    expect(missing(definition, { a: " \u200b", c: 1 })).toEqual(["a"]);
    expect(missing(definition, { a: "x", c: 3 })).toEqual([]);
    expect([...missingRequired(definition, new Map([["a", "x"]]))]).toEqual([
      { key: "c", elementId: "c", itemId: null, pageId: "p2" },
    ]);
  });

  test("false and 0 are answers", () => {
    const pages = [page("p1", [ask("a", "yes_no", required), ask("b", "nps", required), ask("c", "number", required)])];
    expect(missing({ pages }, { a: false, b: 0, c: 0 })).toEqual([]);
  });

  test("the last page is last", () => {
    const answers = new Map();
    expect([isLastReachable(definition, answers, "p1"), isLastReachable(definition, answers, "p2")]).toEqual([
      false,
      true,
    ]);
    expect(isLastReachable(definition, answers, "nowhere")).toBe(false);
    expect(isLastReachable({ pages: [] }, answers, "p1")).toBe(false);
  });
});

describe("skip rules", () => {
  const definition = (...skipLogic: SkipRule[]): SurveyDefinition => ({
    pages: [
      page("p1", [ask("a"), ask("n", "number")], { skipLogic }),
      page("p2", [ask("b", "short_text", { required: true })]),
      page("p3", [ask("c")]),
    ],
  });

  test("lead over pages, whose required questions are then not asked", () => {
    const survey = definition(rule("a", "equals", "no", "p3"));
    expect(way(survey, { a: "no" })).toEqual(["p1", "p3"]);
    expect(way(survey, { a: "yes" })).toEqual(["p1", "p2", "p3"]);
    expect(missing(survey, { a: "no" })).toEqual([]);
    expect(missing(survey, { a: "yes" })).toEqual(["b"]);
  });

  test("hold by all, any or none of several comparisons, each of which may be about another question", () => {
    const [no, many] = [rule("a", "equals", "no", "").when, rule("n", "at_least", 5, "").when];
    const skips = (when: SkipRule["when"], answers: Record<string, unknown>) =>
      way(definition({ when, goTo: "p3" }), answers).length === 2;
    const given = [{}, { a: "no" }, { n: 5 }, { a: "no", n: 5 }];
    expect(given.map((answers) => skips({ all: [no, many] }, answers))).toEqual([false, false, false, true]);
    expect(given.map((answers) => skips({ any: [no, many] }, answers))).toEqual([false, true, true, true]);
    expect(given.map((answers) => skips({ not: { any: [no, many] } }, answers))).toEqual([true, false, false, false]);
    expect(given.map((answers) => skips({ all: [no, { not: many }] }, answers))).toEqual([false, true, false, false]);
  });

  test("read an answer once for all comparisons, and decide one about an earlier page once for all repetitions", () => {
    const choices = Array.from({ length: 30 }, (_, at) => `Choice ${at}`);
    const source = ask("s", "multiple_choice", { multipleAnswers: true, choices });
    let decided = 0;
    const counted = (elementId: string): SkipRule["when"] => ({
      elementId,
      operator: "contains",
      get value() {
        decided += 1;
        return "absent";
      },
    });
    const earlier = { when: { any: Array.from({ length: 10 }, () => counted("t")) }, goTo: "end" };
    const own = { when: { any: Array.from({ length: 10 }, () => counted("u")) }, goTo: "end" };
    const loop = { elementId: "s" };
    const pages = [
      page("p1", [source]),
      page("p2", [ask("t")], { loop }),
      page("p3", [ask("u")], { loop, skipLogic: [earlier, own] }),
    ];
    const items = idsOf(source.choices);
    const answers = new Map<string, unknown>([["s", items]]);
    for (const item of items) answers.set(answerKey("t", item), "text").set(answerKey("u", item), "text");
    const reads = new Map<string, number>();
    const visits = reachablePages(
      { pages },
      {
        get(key) {
          reads.set(key, (reads.get(key) ?? 0) + 1);
          return answers.get(key);
        },
      },
    );
    expect(visits).toHaveLength(61);
    expect(decided).toBe(10 + 10 * items.length);
    expect(Math.max(...reads.values())).toBe(2);
  });

  test.each([
    ["time", "17:30:00", "at_most", "17:30", true],
    ["time", "17:30", "between", ["09:00", "17:30:00"], true],
    ["time", "17:30:00.500", "greater_than", "17:30:00", true],
    ["datetime", "2026-01-31T23:30-05:00", "greater_than", "2026-02-01T00:00Z", true],
    ["datetime", "2026-02-01T01:30+02:00", "less_than", "2026-02-01T00:00Z", true],
    ["datetime", "2026-01-31T17:30", "equals", "2026-01-31T17:30:00Z", true],
    ["datetime", "2026-01-31T17:30", "in", ["2026-01-31T18:30Z", "2026-01-31t18:30+01:00"], true],
    ["datetime", "2026-01-31T17:30", "not_in", ["2026-01-31T17:31Z"], true],
    ["date", "2026-01-31", "less_than", "2026-01-31", false],
    ["date", "2026-01-31", "at_least", "2026-01-31", true],
  ] as const)("compare a %s by what it means: %s %s %j is %s", (mode, answer, operator, target, holds) => {
    const asked = ask("d", "date_time", { typeSettings: { mode } });
    const pages = [page("p1", [asked], { skipLogic: [rule("d", operator, target, "end")] }), page("p2", [ask("e")])];
    expect(way({ pages }, { d: answer })).toHaveLength(holds ? 1 : 2);
  });

  test("lead to the end", () => {
    const survey = definition(rule("a", "equals", "no", "end"));
    expect(way(survey, { a: "no" })).toEqual(["p1"]);
    const answers = new Map([["a", "no"]]);
    expect([isLastReachable(survey, answers, "p1"), isLastReachable(survey, answers, "p3")]).toEqual([true, false]);
  });

  test("the first that holds decides", () => {
    const survey = definition(rule("n", "greater_than", 10, "end"), rule("n", "greater_than", 5, "p3"));
    expect(way(survey, { n: 11 })).toEqual(["p1"]);
    expect(way(survey, { n: 6 })).toEqual(["p1", "p3"]);
    expect(way(survey, { n: 5 })).toEqual(["p1", "p2", "p3"]);
  });

  test("positive operators need an answer, negative ones do not", () => {
    for (const operator of operators) {
      const skips = way(definition(rule("a", operator, "x", "p3")), {}).length === 2;
      expect([operator, skips]).toEqual([operator, operator.startsWith("not_")]);
    }
    expect(way(definition(rule("a", "answered", undefined, "p3")), { a: "" })).toHaveLength(3);
    expect(way(definition(rule("a", "answered", undefined, "p3")), { a: "\ufeff" })).toHaveLength(3);
    expect(way(definition(rule("a", "answered", undefined, "p3")), { a: "x" })).toHaveLength(2);
  });

  test.each([["p1"], ["nowhere"]])("a rule that leads to %s is passed over", (goTo) => {
    const survey = definition(rule("a", "answered", undefined, goTo), rule("a", "answered", undefined, "p3"));
    expect(way(survey, { a: "x" })).toEqual(["p1", "p3"]);
  });

  test("rules that lead in circles still end", () => {
    const always = rule("a", "answered", undefined, "p1");
    const pages = ["p1", "p2", "p3"].map((pageId, index) =>
      page(pageId, index === 0 ? [ask("a")] : [], { skipLogic: [always, rule("a", "answered", undefined, "p2")] }),
    );
    expect(way({ pages }, { a: "x" })).toEqual(["p1", "p2", "p3"]);
  });

  test("questions of later pages and unknown ones decide nothing", () => {
    expect(way(definition(rule("c", "answered", undefined, "p3")), { c: "x" })).toHaveLength(3);
    expect(way(definition(rule("c", "not_answered", undefined, "p3")))).toHaveLength(3);
    expect(way(definition(rule("gone", "not_answered", undefined, "p3")))).toHaveLength(3);
  });

  test("answers left on a page that is no longer reached count as not given", () => {
    const pages = [
      page("p1", [ask("a")], { skipLogic: [rule("a", "equals", "skip", "p3")] }),
      page("p2", [ask("b")]),
      page("p3", [ask("c")], { skipLogic: [rule("b", "equals", "x", "end")] }),
      page("p4", []),
    ];
    expect(way({ pages }, { a: "go", b: "x" })).toEqual(["p1", "p2", "p3"]);
    expect(way({ pages }, { a: "skip", b: "x" })).toEqual(["p1", "p3", "p4"]);
  });
});

describe("loops", () => {
  const brands = ask("brands", "multiple_choice", {
    choices: ["A", "B", "C"],
    multipleAnswers: true,
    typeSettings: { other: { enabled: true } },
  });
  const [a = "", b = "", c = ""] = idsOf(brands.choices);
  const other = (brands.typeSettings["other"] as { choiceId: string }).choiceId;
  const looped = (skipLogic: SkipRule[] = []): SurveyDefinition => ({
    pages: [
      page("p1", [brands]),
      page("p2", [ask("why", "short_text", { required: true })], { loop: { elementId: "brands" }, skipLogic }),
      page("p3", [ask("end")]),
    ],
  });

  test("a page repeats once per chosen item, in the question's order", () => {
    expect(way(looped(), { brands: [c, a] })).toEqual(["p1", `p2:${a}`, `p2:${c}`, "p3"]);
    expect(way(looped(), { brands: [{ choiceId: other, otherText: "D" }, b] })).toEqual([
      "p1",
      `p2:${b}`,
      `p2:${other}`,
      "p3",
    ]);
  });

  test.each([[undefined], [null], [[]], ["text"], [{}], [["gone"]]])(
    "without items (%j) the page is passed over",
    (value) => {
      expect(way(looped(), value === undefined ? {} : { brands: value })).toEqual(["p1", "p3"]);
    },
  );

  test("required questions are asked in every repetition", () => {
    expect(missing(looped(), { brands: [a, b], [answerKey("why", a)]: "x" })).toEqual([answerKey("why", b)]);
    expect(missing(looped(), { brands: [a], why: "x" })).toEqual([answerKey("why", a)]);
    expect(missing(looped(), { brands: [a], [answerKey("why", a)]: "x" })).toEqual([]);
  });

  test("the last repetition is last, by the page's id or with its item", () => {
    const pages = looped().pages.slice(0, 2);
    const answers = new Map([["brands", [a, b]]]);
    const isLast = (pageId: string) => isLastReachable({ pages }, answers, pageId);
    expect([isLast("p2"), isLast(`p2:${b}`), isLast(`p2:${a}`), isLast("p1")]).toEqual([true, true, false, false]);
  });

  test("a rule of the repeating page looks at its own repetition and leaves the loop", () => {
    const survey = looped([rule("why", "equals", "stop", "p3")]);
    const answers = { brands: [a, b, c], [answerKey("why", a)]: "go on", [answerKey("why", b)]: "stop" };
    expect(way(survey, answers)).toEqual(["p1", `p2:${a}`, `p2:${b}`, "p3"]);
  });

  test("a later rule holds when one repetition satisfies it; a negative one when none is against it", () => {
    const later = (skip: SkipRule): SurveyDefinition => ({
      pages: [...looped().pages.slice(0, 2), page("p3", [], { skipLogic: [skip] }), page("p4", [])],
    });
    const answers = { brands: [a, b], [answerKey("why", a)]: "x", [answerKey("why", b)]: "y" };
    expect(way(later(rule("why", "equals", "y", "end")), answers)).not.toContain("p4");
    expect(way(later(rule("why", "equals", "z", "end")), answers)).toContain("p4");
    expect(way(later(rule("why", "not_equals", "z", "end")), answers)).not.toContain("p4");
    expect(way(later(rule("why", "not_equals", "y", "end")), answers)).toContain("p4");
  });

  test("a loop over a later page, its own page, a question without items or another loop is empty", () => {
    const loop = { elementId: "brands" };
    const answers = { brands: [a] };
    expect(way({ pages: [page("p1", [], { loop }), page("p2", [brands])] }, answers)).toEqual(["p2"]);
    expect(way({ pages: [page("p1", [brands], { loop })] }, answers)).toEqual([]);
    expect(way({ pages: [page("p1", [ask("brands")]), page("p2", [], { loop })] }, { brands: "x" })).toEqual(["p1"]);
    const inner = { ...brands, elementId: "inner" };
    const nested = [
      page("p1", [brands]),
      page("p2", [inner], { loop }),
      page("p3", [], { loop: { elementId: "inner" } }),
    ];
    expect(way({ pages: nested }, { ...answers, [answerKey("inner", a)]: [b], inner: [b] })).toEqual(["p1", `p2:${a}`]);
  });

  test("a loop over a skipped page is empty, even with earlier choices", () => {
    const skip = page("p0", [ask("a")], { skipLogic: [rule("a", "equals", "skip", "p2")] });
    const survey = { pages: [skip, ...looped().pages] };
    expect(way(survey, { a: "skip", brands: [a] })).toEqual(["p0", "p3"]);
    expect(way(survey, { a: "go", brands: [a] })).toEqual(["p0", "p1", `p2:${a}`, "p3"]);
  });

  test("every place of an answer has its own number", () => {
    const survey = looped();
    const keys = survey.pages.flatMap(({ loop, elements }) =>
      elements.flatMap(({ elementId }) => (loop ? [a, b, c].map((item) => answerKey(elementId, item)) : [elementId])),
    );
    const numbers = keys.map((key) => answerNumber(survey, key));
    expect(numbers.every((number) => Number.isInteger(number) && number! >= 0)).toBe(true);
    expect(new Set(numbers).size).toBe(keys.length);
    expect([answerNumber(survey, "gone"), answerNumber(survey, "why:gone")]).toEqual([undefined, undefined]);
  });

  test("pages are visited for the items of their loop only", () => {
    const survey = looped();
    for (const visit of ["p1", "p2", `p2:${a}`, `p2:${b}`]) {
      expect(findVisitedPage(survey, visit)?.pageId).toBe(visit.slice(0, 2));
    }
    for (const wrong of ["", "gone", "p2:", "p2:gone", "p2:\0", `p1:${a}`, `p2:${a}:${b}`, "__proto__"]) {
      expect(findVisitedPage(survey, wrong)).toBeUndefined();
    }
  });

  test("answer keys point at a place that exists", () => {
    const survey = looped();
    expect(findAnswerPlace(survey, "brands")).toMatchObject({ itemId: null, pageIndex: 0 });
    expect(findAnswerPlace(survey, answerKey("why", b))).toMatchObject({ itemId: b, pageIndex: 1 });
    for (const wrong of ["why", `why:`, "why:gone", `brands:${a}`, "gone", "", `why:${a}:${b}`]) {
      expect(findAnswerPlace(survey, wrong)).toBeUndefined();
    }
    expect(findElement(survey, "why")?.page.pageId).toBe("p2");
    const answers = new Map([["brands", [a]]]);
    expect([isReachable(survey, answers, `why:${a}`), isReachable(survey, answers, `why:${b}`)]).toEqual([true, false]);
  });
});

test("newly missing answers are missing after the change and not before", () => {
  const pages = [
    page("p1", [ask("a"), ask("b", "short_text", { required: true })], {
      skipLogic: [rule("a", "equals", "no", "p3")],
    }),
    page("p2", [ask("c", "short_text", { required: true }), ask("d", "short_text", { required: true })]),
    page("p3", [ask("e", "short_text", { required: true })]),
  ];
  const text = fc.constantFrom("", " ", "no", "yes");
  const answers = fc
    .dictionary(fc.constantFrom("a", "b", "c", "d", "e"), text)
    .map((given) => new Map(Object.entries(given)));
  fc.assert(
    fc.property(answers, answers, (before, after) => {
      const known = new Set(Array.from(missingRequired({ pages }, before), ({ key }) => key));
      const expected = [...missingRequired({ pages }, after)].filter(({ key }) => !known.has(key));
      expect([...newlyMissing({ pages }, before, after)]).toEqual(expected);
    }),
  );
});

test("answer keys go both ways", () => {
  for (const [elementId, itemId] of [
    ["e", null],
    ["e", "i"],
  ] as const) {
    expect(parseAnswerKey(answerKey(elementId, itemId))).toEqual({ elementId, itemId });
  }
});

test("any logic over any answers ends, forwards, each visit once", () => {
  const ids = ["p0", "p1", "p2", "p3", "p4"];
  const elements = ids.map((_, index) =>
    ask(`e${index}`, "multiple_choice", { multipleAnswers: true, choices: ["A", "B"] }),
  );
  const choice = fc.constantFrom(...elements.flatMap(({ choices }) => idsOf(choices)));
  const anyRule = fc
    .tuple(
      fc.nat(6),
      fc.constantFrom(...operators),
      fc.oneof(choice, fc.jsonValue({ maxDepth: 1 })),
      fc.constantFrom(...ids, "end", "nowhere"),
    )
    .map(([element, operator, value, goTo]) => rule(`e${element}`, operator, value, goTo));
  const anyPage = (index: number) =>
    fc.tuple(fc.array(anyRule, { maxLength: 3 }), fc.option(fc.nat(6))).map(([skipLogic, loop]) =>
      page(ids[index] ?? "", [elements[index]!], {
        skipLogic,
        loop: loop === null ? null : { elementId: `e${loop}` },
      }),
    );
  const answers = fc.dictionary(
    fc.constantFrom("e0", "e1", "e2", "e3", "e4"),
    fc.oneof(fc.array(choice), fc.jsonValue({ maxDepth: 2 })),
  );
  fc.assert(
    fc.property(fc.tuple(anyPage(0), anyPage(1), anyPage(2), anyPage(3), anyPage(4)), answers, (pages, answers) => {
      const visits = way({ pages }, answers);
      expect(new Set(visits).size).toBe(visits.length);
      const order = visits.map((visit) => ids.indexOf(parseAnswerKey(visit).elementId));
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(() => missing({ pages }, answers)).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});
