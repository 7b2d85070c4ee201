import { describe, expect, test } from "vitest";
import { idsOf } from "../../test/sample-question.ts";
import { ask, linesOf, outline, page, rule } from "../../test/sample-survey.ts";
import type { Question, SkipRule, SurveyDefinition } from "../definition.ts";
import { withLogic } from "../element-logic.ts";
import { finish } from "../finish.ts";
import { checkDefinition } from "./check-definition.ts";
import { newLogicViolations } from "./logic-violations.ts";
import { orderElements, type StructureEditResult } from "./order-elements.ts";
import { patchPage } from "./patch-page.ts";
import { removeElement } from "./remove-element.ts";
import { replaceQuestion } from "./replace-question.ts";

const chosen = ask("choose", "multiple_choice", { choices: ["A", "B"], multipleAnswers: true });
const [choiceA = "", choiceB = ""] = idsOf(chosen.choices);

/** p1 asks, p2 repeats for each choice on p1, p3 is last. Two rules of p1 skip later pages. */
const survey: SurveyDefinition = {
  pages: [
    page("p1", [ask("name"), chosen, ask("score", "rating")], {
      skipLogic: [rule("name", "equals", "x", "end"), rule("score", "less_than", 3, "p3")],
    }),
    page("p2", [ask("why"), ask("what")], { title: "Each", loop: { elementId: "choose" } }),
    page("p3", [ask("last")], { skipLogic: [rule("choose", "contains", choiceA, "end")] }),
  ],
};

function done(edit: StructureEditResult): SurveyDefinition {
  if ("violations" in edit) throw new Error(JSON.stringify(edit.violations));
  expect(checkDefinition(edit.definition)).toEqual([]);
  return edit.definition;
}
const order = (survey: SurveyDefinition, body: unknown) => finish(orderElements(survey, body));
const patch = (survey: SurveyDefinition, pageId: string, changes: unknown) =>
  finish(patchPage(survey, pageId, changes));
const replace = (survey: SurveyDefinition, question: Question) => finish(replaceQuestion(survey, question));
const refusals = (edit: object): string[] => ("violations" in edit ? linesOf(edit.violations as never) : []);

test("the survey of these tests is sound", () => {
  expect(checkDefinition(survey)).toEqual([]);
});

test("an element goes with the rules that ask it, and its page closes up", () => {
  const result = removeElement(survey, "score");
  if ("violations" in result) throw new Error("refused");
  expect(outline(result.definition)).toEqual(["p1: name choose", "p2: why what", "p3: last"]);
  expect(result.definition.pages[0]!.skipLogic).toEqual([rule("name", "equals", "x", "end")]);
  expect(result.cleaned).toEqual([{ pageId: "p1", rules: [rule("score", "less_than", 3, "p3")], conditions: 0 }]);
  expect(result.definition.pages.slice(1)).toEqual(survey.pages.slice(1));
  expect(result.definition.pages[1]).toBe(survey.pages[1]);
});

test("a page that becomes empty stays", () => {
  const result = removeElement(survey, "last");
  expect("definition" in result && outline(result.definition)).toEqual([
    "p1: name choose score",
    "p2: why what",
    "p3:",
  ]);
});

test("an element that a page repeats for stays, and the page is named", () => {
  expect(refusals(removeElement(survey, "choose"))).toEqual([
    "pages.1.loop of page p2 (Each) takes its items from this question; remove the loop first",
  ]);
});

test.each([
  [
    "within a page",
    { pageId: "p1", elementIds: ["score", "choose", "name"] },
    ["p1: score choose name", "p2: why what", "p3: last"],
  ],
  [
    "to an earlier page",
    { pageId: "p1", elementIds: ["last", "name", "choose", "score", "what"] },
    ["p1: last name choose score what", "p2: why", "p3:"],
  ],
  [
    "to a later page",
    { pageId: "p3", elementIds: ["last", "why"] },
    ["p1: name choose score", "p2: what", "p3: last why"],
  ],
])("elements move %s", (_name, body, expected) => {
  expect(outline(done(order(survey, body)))).toEqual(expected);
});

test.each([
  [null, ["body must be an object"]],
  [{}, ["pageId is required", "elementIds is required"]],
  [
    { pageId: "p1", elementIds: [], more: 1 },
    ["elementIds must have at least 1 item", "more is not a known field; known are pageId, elementIds"],
  ],
  [{ pageId: "nowhere", elementIds: ["name"] }, ["pageId is not one of the survey's pages"]],
  [
    { pageId: "p1", elementIds: ["name", "name", "gone", "score"] },
    [
      "elementIds.1 is named twice",
      "elementIds.2 is not an element of this survey",
      "elementIds must name every element of the page; missing are choose",
    ],
  ],
  [
    { pageId: "p2", elementIds: ["name", "what", "last", "why"] },
    ["pages.0.skipLogic.0.when.elementId must name a question on this or an earlier page"],
  ],
  [
    { pageId: "p2", elementIds: ["why", "what", "choose"] },
    ["pages.1.loop.elementId must name a question on an earlier page"],
  ],
  [
    { pageId: "p3", elementIds: ["last", "choose"] },
    ["pages.1.loop.elementId must name a question on an earlier page"],
  ],
])("an order is refused: %j", (body, violations) => {
  expect(refusals(order(survey, body))).toEqual(violations);
});

test("a page changes in what the patch gives", () => {
  const titled = done(patch(survey, "p1", { title: "About you" }));
  expect(titled.pages[0]).toEqual({ ...survey.pages[0], title: "About you" });
  expect(done(patch(survey, "p2", { title: null, loop: null })).pages[1]).toMatchObject({
    title: null,
    loop: null,
  });
  const skipLogic = [
    rule("choose", "contains", [choiceA, choiceB], "p3"),
    rule("score", "not_answered", undefined, "end"),
  ];
  expect(done(patch(survey, "p1", { skipLogic })).pages[0]!.skipLogic).toEqual(skipLogic);
  expect(done(patch(survey, "p1", {}))).toEqual(survey);
});

test.each([
  ["p1", [], ["body must be an object"]],
  ["p1", { name: "x" }, ["name is not a known field; known are title, loop, showIf, skipLogic, shuffle, block"]],
  ["p1", { title: "" }, ["title must be text of 1 to 200 characters"]],
  ["p1", { loop: {} }, ["loop.elementId is required"]],
  [
    "p1",
    { loop: { elementId: "choose" } },
    [
      "loop.elementId must name a question on an earlier page",
      "pages.1.loop.elementId must name a question on a page that does not repeat",
    ],
  ],
  ["p3", { loop: { elementId: "name" } }, ["loop.elementId must name a choice question that takes several answers"]],
  ["p3", { loop: { elementId: "gone" } }, ["loop.elementId must name a question on an earlier page"]],
  ["p1", { skipLogic: [{}] }, ["skipLogic.0.when is required", "skipLogic.0.goTo is required"]],
  [
    "p2",
    { skipLogic: [rule("last", "answered", undefined, "p1"), rule("why", "greater_than", "x", "p2")] },
    [
      "skipLogic.0.when.elementId must name a question on this or an earlier page",
      "skipLogic.0.goTo must name a later page, or end",
      "skipLogic.1.when.operator does not fit short_text; operators of it are answered, not_answered, equals, not_equals, in, not_in, contains, not_contains, starts_with",
      "skipLogic.1.goTo must name a later page, or end",
    ],
  ],
  [
    "p1",
    { skipLogic: [{ when: { elementId: "name", operator: "is", value: {} }, goTo: 1, and: 2 }] },
    [
      "skipLogic.0.goTo must be the id of a later page, or end",
      "skipLogic.0.and is not a known field; known are when, goTo",
      "skipLogic.0.when.operator must be one of answered, not_answered, equals, not_equals, in, not_in, contains, not_contains, starts_with, greater_than, less_than, at_least, at_most, between",
      "skipLogic.0.when.value must be text of at most 4000 characters or a number or true or false or a list or null",
    ],
  ],
])("a patch of %s is refused: %j", (pageId, changes, violations) => {
  expect(refusals(patch(survey, pageId, changes))).toEqual(violations);
});

test("a page whose title names the item it repeats for keeps its loop", () => {
  const pages = survey.pages.with(1, { ...survey.pages[1]!, title: "For {{loop}}" });
  expect(refusals(patch({ pages }, "p2", { loop: null }))).toEqual([
    "pages.1.title is only for a page that repeats ({{loop}})",
  ]);
  expect(done(patch({ pages }, "p2", { loop: null, title: "Each" })).pages[1]!.loop).toBeNull();
});

test("a page that others repeat for cannot repeat itself", () => {
  const before = ask("first", "image_choice", { multipleAnswers: true });
  const pages = [page("p0", [before]), ...survey.pages];
  expect(refusals(patch({ pages }, "p1", { loop: { elementId: "first" } }))).toEqual([
    "pages.2.loop.elementId must name a question on a page that does not repeat",
  ]);
});

test("more comparisons than a survey may have, and more rules than a page may have, are refused", () => {
  const rules = (count: number) => Array.from({ length: count }, () => rule("name", "answered", undefined, "end"));
  const many = Array.from({ length: 20 }, (_, at) => page(`more${at}`, [], { skipLogic: rules(100) }));
  const full = { pages: [page("p1", [ask("name")]), ...many] };
  expect(refusals(patch(full, "p1", { skipLogic: rules(1) }))).toEqual([
    "skipLogic must not bring the comparisons of the survey's conditions above 2000",
  ]);
  expect(refusals(patch(full, "more0", { skipLogic: rules(100) }))).toEqual([]);
  expect(refusals(patch(full, "more0", { skipLogic: rules(101) }))).toEqual(["skipLogic must have at most 100 items"]);
  expect(refusals(patch(full, "p1", { title: "New" }))).toEqual([]);
});

test("conditions of however many parts are refused by no more than a response can hold", () => {
  const nested = (part: object, levels: number): object =>
    levels === 0 ? part : { all: Array.from({ length: 50 }, () => nested(part, levels - 1)) };
  const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at}`, at]));
  for (const when of [nested({ all: [] }, 3), nested(unknown, 1), nested(nested({}, 1), 3)]) {
    const skipLogic = Array.from({ length: 100 }, () => ({ when, goTo: "end" }));
    const lines = refusals(patch(survey, "p3", { skipLogic }));
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.length).toBeLessThan(2_100);
  }
});

test("a condition of several comparisons is refused at each of its places", () => {
  const when = (condition: unknown) => refusals(patch(survey, "p3", { skipLogic: [{ when: condition, goTo: "end" }] }));
  const sound = { elementId: "name", operator: "answered" };
  const nested = (levels: number): object => (levels === 1 ? sound : { not: nested(levels - 1) });
  const many = (count: number) => ({ any: Array.from({ length: count }, () => sound) });
  expect([when(nested(5)), when(many(50)), when({ all: [many(25), many(25)] })]).toEqual([[], [], []]);
  expect(when(nested(6))).toEqual(["skipLogic.0.when.not.not.not.not must have at most 5 levels"]);
  expect(when(many(51))).toEqual(["skipLogic.0.when.any must have at most 50 items"]);
  expect(when({ all: [many(25), many(26)] })).toEqual(["skipLogic.0.when must have at most 50 comparisons"]);
  expect(when({ all: [] })).toEqual(["skipLogic.0.when.all must have at least 1 item"]);
  expect(when({ all: [sound], any: [sound] })).toEqual(["skipLogic.0.when.any is not a known field; known are all"]);
  expect(when({ not: [sound] })).toEqual(["skipLogic.0.when.not must be an object"]);
  expect(when(null)).toEqual(["skipLogic.0.when must be an object"]);
  expect(
    when({
      any: [
        { not: { elementId: "gone", operator: "answered" } },
        { elementId: "name", operator: "at_least", value: "x" },
        { elementId: "name", operator: "in", value: "x" },
        sound,
      ],
    }),
  ).toEqual([
    "skipLogic.0.when.any.0.not.elementId must name a question on this or an earlier page",
    "skipLogic.0.when.any.1.operator does not fit short_text; operators of it are answered, not_answered, equals, not_equals, in, not_in, contains, not_contains, starts_with",
    "skipLogic.0.when.any.2.value must be a list",
  ]);
  expect(when({ any: [{ operator: "answered" }, { not: { elementId: "name", operator: "is" } }, 5] })).toEqual([
    "skipLogic.0.when.any.0.elementId is required",
    expect.stringMatching(/^skipLogic\.0\.when\.any\.1\.not\.operator must be one of /),
    "skipLogic.0.when.any.2 must be an object",
  ]);
});

test("existing violations block only an edit that sends them again", () => {
  const broken = {
    pages: survey.pages.with(2, page("p3", [], { skipLogic: [rule("gone", "answered", undefined, "p1")] })),
  };
  expect(refusals(patch(broken, "p1", { title: "New" }))).toEqual([]);
  expect(refusals(patch(broken, "p3", { title: "New" }))).toEqual([]);
  expect(refusals(patch(broken, "p3", { skipLogic: broken.pages[2]!.skipLogic }))).toHaveLength(2);
  expect(refusals(order(broken, { pageId: "p1", elementIds: ["score", "choose", "name"] }))).toEqual([]);
});

describe("an existing violation", () => {
  const gone = { elementId: "gone", operator: "answered" as const };
  const told = withLogic(chosen, {
    entries: { [choiceB]: gone },
    constraints: [
      { must: { elementId: "name", operator: "answered" }, message: "One." },
      { must: gone, message: "Two." },
    ],
  });

  test("moves with its element", () => {
    const broken = { pages: [page("p1", [ask("name"), told, ask("last")]), page("p2", [ask("why")])] };
    expect(refusals(order(broken, { pageId: "p1", elementIds: ["name", "last", "choose"] }))).toEqual([]);
    expect(refusals(order(broken, { pageId: "p2", elementIds: ["why", "choose"] }))).toEqual([]);
    // Before `name`, which its first constraint asks.
    expect(refusals(order(broken, { pageId: "p1", elementIds: ["choose", "name", "last"] }))).toEqual([
      "pages.0.elements.0.constraints.0.must.elementId must name this question or one before it",
    ]);
  });

  test("moves with its entry and its constraint", () => {
    const pick = ask("pick", "multiple_choice", { choices: ["A", "B"] });
    const must = rule("pick", "contains", idsOf(pick.choices)[0], "end").when;
    const constraints = [{ must, message: "Zero." }, ...told.logic!.constraints!];
    const last = withLogic(told, { ...told.logic, constraints });
    const broken = { pages: [page("p1", [ask("name"), pick, last])] };
    expect(refusals(replace(broken, { ...pick, choices: pick.choices!.slice(1) }))).toEqual([]);
    expect(refusals(replace(broken, { ...last, choices: last.choices!.toReversed() }))).toEqual([]);
  });

  test("hides no new one of an element or a rule at its former position", () => {
    const [first, second] = ["one", "two"].map((id) => withLogic(ask(id), { showIf: gone }));
    const late = withLogic(ask("late"), { showIf: { elementId: "why", operator: "answered" } });
    const broken = { pages: [page("p1", [first!, second!, ask("why"), late])] };
    expect(refusals(order(broken, { pageId: "p1", elementIds: ["late", "one", "two", "why"] }))).toEqual([
      "pages.0.elements.0.showIf.elementId must name a question before it",
    ]);
    const rules = [rule("gone", "answered", undefined, "end"), rule("score", "answered", undefined, "end")];
    const skipping = { pages: [page("p1", [ask("score", "rating")], { skipLogic: rules }), page("p2", [ask("why")])] };
    const moved = { pages: [{ ...skipping.pages[0]!, elements: [], skipLogic: rules.slice(1) }, skipping.pages[1]!] };
    expect(linesOf(finish(newLogicViolations(skipping, moved)))).toEqual([
      "pages.0.skipLogic.0.when.elementId must name a question on this or an earlier page",
    ]);
  });
});

test("an edit may not take from a question what logic needs of it", () => {
  const single = { ...chosen, typeSettings: { ...chosen.typeSettings, multipleAnswers: false } };
  expect(refusals(replace(survey, single))).toEqual([
    "pages.1.loop.elementId must name a choice question that takes several answers",
  ]);
  const reworded = { ...chosen, text: "Which of these?" };
  expect(done(replace(survey, reworded)).pages[0]!.elements[1]).toBe(reworded);
});

test.each(["__proto__", "constructor", "toString"])("what objects inherit is nothing a rule can name: %s", (name) => {
  const rules = [rule("choose", "contains", name, "end"), rule(name, "answered", undefined, name)];
  expect(refusals(patch(survey, "p3", { skipLogic: rules, loop: { elementId: name } }))).toEqual([
    "loop.elementId must name a question on an earlier page",
    "skipLogic.0.when.value must be the id of a choice of the question, or a list of them",
    "skipLogic.1.when.elementId must name a question on this or an earlier page",
    "skipLogic.1.goTo must name a later page, or end",
  ]);
});

const retiring = (list: readonly { id: string }[], goes: string) =>
  list.map((entry) => (entry.id === goes ? { ...entry, retired: true } : entry)) as Question["choices"] & {};
const withOther = ask("other", "multiple_choice", { choices: ["A"], typeSettings: { other: { enabled: true } } });
const otherOf = ({ typeSettings }: Question) => typeSettings["other"] as { choiceId: string };
const table = ask("table", "matrix");
const cells = ask("cells", "dropdown_matrix");
const [columnA = ""] = idsOf(table.columns);
const [optionA = "", optionB = ""] = idsOf(cells.columns![0]!.options);
const [first, ...others] = cells.columns!;

test.each<[string, Question, target: unknown, Question]>([
  ["a choice is deleted", chosen, choiceA, { ...chosen, choices: chosen.choices!.slice(1) }],
  ["a choice is retired", chosen, choiceA, { ...chosen, choices: retiring(chosen.choices!, choiceA) }],
  ["one of several is", chosen, [choiceB, choiceA], { ...chosen, choices: retiring(chosen.choices!, choiceA) }],
  [
    "Other is switched off",
    withOther,
    otherOf(withOther).choiceId,
    { ...withOther, typeSettings: { ...withOther.typeSettings, other: { ...otherOf(withOther), enabled: false } } },
  ],
  ["a column is retired", table, columnA, { ...table, columns: retiring(table.columns!, columnA) }],
  [
    "an option is retired",
    cells,
    optionA,
    { ...cells, columns: [{ ...first!, options: retiring(first!.options!, optionA) }, ...others] },
  ],
  ["the column of an option is retired", cells, optionB, { ...cells, columns: retiring(cells.columns!, first!.id) }],
])("rules that name an entry go with it: %s", (_, asked, target, edited) => {
  const { elementId } = asked;
  const gone = rule(elementId, "contains", target, "end");
  const stays = [rule(elementId, "answered", undefined, "end"), rule("name", "equals", "x", "end")];
  const pages = [
    page("p1", [ask("name"), asked], { skipLogic: [gone, ...stays] }),
    page("p2", [ask("why")], { skipLogic: [rule("why", "contains", "x", "end"), gone] }),
    page("p3", [ask("last")], { skipLogic: [rule("last", "answered", undefined, "end")] }),
  ];
  const result = replace({ pages }, edited);
  expect(done(result).pages.map(({ skipLogic }) => skipLogic.length)).toEqual([2, 1, 1]);
  expect("cleaned" in result && result.cleaned).toEqual([
    { pageId: "p1", rules: [gone], conditions: 0 },
    { pageId: "p2", rules: [gone], conditions: 0 },
  ]);
  expect("definition" in result && result.definition.pages[2]).toBe(pages[2]);
  // A rule that names the removed choice can be neither stored nor published.
  const draft = {
    pages: pages.with(0, page("p1", [ask("name"), edited])).map((each) => ({ ...each, skipLogic: [] as SkipRule[] })),
  };
  const written = refusals(patch(draft, "p2", { skipLogic: [gone] }));
  expect(written).toEqual([expect.stringMatching(/^skipLogic\.0\.when\.value (names .* retired|must be the id of)/)]);
  const issues = checkDefinition({ pages: draft.pages.with(1, { ...draft.pages[1]!, skipLogic: [gone] }) });
  expect(issues).toMatchObject([{ code: "skip_logic_broken", path: "pages.1.skipLogic.0.when.value" }]);
});

test("an unknown page or element throws", () => {
  expect(() => patch(survey, "nowhere", {})).toThrow("nowhere");
  expect(() => replace(survey, ask("gone"))).toThrow("gone");
});
