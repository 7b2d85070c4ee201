import { describe, expect, test } from "vitest";
import { countingIds, idsOf } from "../../test/sample-question.ts";
import { ask, linesOf, page, rule } from "../../test/sample-survey.ts";
import type { AnswerCondition, Condition } from "../conditions/condition.ts";
import type { ElementLogic, Page, Question } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { editElement } from "../edits/edit-element.ts";
import { finish } from "../finish.ts";
import { buildQuestions } from "../new-questions.ts";
import { checkDefinition } from "./check-definition.ts";
import { orderElements } from "./order-elements.ts";
import { patchPage } from "./patch-page.ts";
import { removeElement } from "./remove-element.ts";
import { replaceQuestion } from "./replace-question.ts";

const when = (elementId: string, operator: AnswerCondition["operator"] = "answered", value?: unknown): Condition =>
  rule(elementId, operator, value, "").when;
const withLogic = (question: Question, logic: ElementLogic): Question => ({ ...question, logic });
const constraint = (must: Condition) => ({ constraints: [{ must, message: "No." }] });
const issuesOf = (pages: Page[]) =>
  checkDefinition({ pages }).map(({ path, code, message }) => `${path} ${code} ${message}`);

const many = ask("many", "multiple_choice", { multipleAnswers: true });
const loop = { elementId: "many" };

describe("conditions of elements depend on earlier ones only", () => {
  const before = "must name a question before it";
  test.each<[string, Page[], string[]]>([
    [
      "the page before, and the same page",
      [
        page("p1", [ask("a")]),
        page("p2", [ask("b"), withLogic(ask("c"), { showIf: { all: [when("a"), when("b")] } })]),
      ],
      [],
    ],
    ["itself, in a constraint", [page("p1", [withLogic(ask("a"), constraint(when("a")))])], []],
    [
      "itself, in showIf",
      [page("p1", [withLogic(ask("a"), { showIf: when("a") })])],
      [`showIf.elementId display_logic_broken ${before}`],
    ],
    [
      "a later one",
      [page("p1", [withLogic(ask("a"), { requiredIf: { not: when("b") } }), ask("b")])],
      [`requiredIf.not.elementId display_logic_broken ${before}`],
    ],
    [
      "an unknown one",
      [page("p1", [withLogic(ask("a"), constraint(when("gone")))])],
      ["constraints.0.must.elementId display_logic_broken must name this question or one before it"],
    ],
    [
      "a value that does not fit",
      [page("p1", [ask("n", "number"), withLogic(ask("a"), { showIf: when("n", "equals", "x") })])],
      ["showIf.value display_logic_broken must be a number"],
    ],
    [
      "a range that is reversed",
      [page("p1", [ask("n", "number"), withLogic(ask("a"), { showIf: when("n", "between", [2, 1]) })])],
      ["showIf.value display_logic_broken must be a list of the lowest and the highest, in this order"],
    ],
    [
      "a range of equal ends",
      [page("p1", [ask("n", "number"), withLogic(ask("a"), { showIf: when("n", "between", [2, 2]) })])],
      [],
    ],
    [
      "a statement that is required",
      [page("p1", [ask("a"), withLogic(ask("s", "statement"), { requiredIf: when("a") })])],
      ["requiredIf display_logic_broken is not supported by statement"],
    ],
    [
      "another page that repeats",
      [
        page("p1", [many]),
        page("p2", [ask("a")], { loop }),
        page("p3", [withLogic(ask("b"), { showIf: when("a") })], { loop }),
      ],
      ["showIf.elementId display_logic_broken must not name a question of another page that repeats"],
    ],
    [
      "a page that repeats, from one that does not",
      [page("p1", [many]), page("p2", [ask("a")], { loop }), page("p3", [withLogic(ask("b"), { showIf: when("a") })])],
      [],
    ],
  ])("%s", (_name, pages, expected) => {
    const place = `pages.${pages.length - 1}.elements.`;
    expect(issuesOf(pages)).toEqual(
      expected.map((line) => expect.stringMatching(new RegExp(`^${place}\\d\\.${line.replaceAll(".", "\\.")}$`))),
    );
  });

  test.each([
    ["number", "number", "greater_than", true],
    ["number", "rating", "greater_than", true],
    ["short_text", "long_text", "equals", true],
    ["number", "short_text", "equals", false],
    ["dropdown", "dropdown", "equals", false],
    ["number", "number", "between", false],
    ["number", "number", "answered", false],
  ] as const)("the answer to a %s compares with that to a %s by %s: %s", (type, other, operator, fits) => {
    const must = { elementId: "a", operator, answerOf: "b" };
    const issues = issuesOf([page("p1", [ask("b", other), withLogic(ask("a", type), constraint(must))])]);
    expect(issues.map((issue) => issue.split(" ", 1)[0])).toEqual(
      fits ? [] : ["pages.0.elements.1.constraints.0.must.answerOf"],
    );
  });
});

test("a page asks earlier pages", () => {
  const pages = [page("p1", [ask("a")]), page("p2", [ask("b")])];
  const patched = (showIf: unknown) => finish(patchPage({ pages }, "p2", { showIf }));
  const shown = patched(when("a"));
  expect(shown).toEqual({ definition: { pages: [pages[0], { ...pages[1], showIf: when("a") }] } });
  const refused = patched(when("b"));
  expect("violations" in refused && linesOf(refused.violations)).toEqual([
    "showIf.elementId must name a question on an earlier page",
  ]);
  const cleared = finish(patchPage(("definition" in shown && shown.definition) || { pages }, "p2", { showIf: null }));
  expect(cleared).toEqual({ definition: { pages } });
});

test("removing an element removes the conditions that ask it, and keeps the others", () => {
  const logic = {
    showIf: when("a"),
    requiredIf: when("b"),
    constraints: [...constraint(when("a")).constraints, ...constraint(when("c")).constraints],
  };
  const pages = [
    page("p1", [ask("a"), ask("b"), withLogic(ask("c"), logic)]),
    page("p2", [ask("d")], { showIf: when("a") }),
  ];
  const removal = removeElement({ pages }, "a");
  if ("violations" in removal) throw new Error("refused");
  expect(findElement(removal.definition, "c")!.question.logic).toEqual({
    requiredIf: when("b"),
    constraints: [{ ...constraint(when("c")).constraints[0]!, number: 1 }],
  });
  expect(removal.definition.pages[1]).not.toHaveProperty("showIf");
  expect(removal.cleaned.map(({ pageId, conditions }) => [pageId, conditions])).toEqual([
    ["p1", 2],
    ["p2", 1],
  ]);
  const last = removeElement(removal.definition, "b");
  expect("definition" in last && findElement(last.definition, "c")!.question.logic).toEqual({
    constraints: [{ ...constraint(when("c")).constraints[0]!, number: 1 }],
  });
});

test("a move that puts a question behind the condition that asks it is refused", () => {
  const pages = [page("p1", [ask("a"), withLogic(ask("b"), { showIf: when("a") })])];
  const moved = finish(orderElements({ pages }, { pageId: "p1", elementIds: ["b", "a"] }));
  expect("violations" in moved && linesOf(moved.violations)).toEqual([
    "pages.0.elements.0.showIf.elementId must name a question before it",
  ]);
});

describe("an edit", () => {
  const choice = ask("choice", "dropdown", { choices: ["x", "y"] });
  const [x = ""] = idsOf(choice.choices);
  const asking = withLogic(ask("b"), { showIf: when("choice", "equals", x) });
  const pages = [page("p1", [choice, asking, ask("c")])];
  const edited = (question: Question, body: object) => {
    const outcome = editElement(
      "settings",
      question,
      { settings: {}, ...body },
      { newId: countingIds(), isAnswered: () => true },
    );
    if (!("question" in outcome)) return "violations" in outcome ? linesOf(outcome.violations) : [];
    const replaced = finish(replaceQuestion({ pages }, outcome.question));
    return "violations" in replaced
      ? linesOf(replaced.violations)
      : findElement(replaced.definition, question.elementId)!.question.logic;
  };

  test("replaces given lists, keeps omitted ones, and removes by null and an empty list", () => {
    expect(edited(asking, { requiredIf: when("choice") })).toEqual({ ...asking.logic, requiredIf: when("choice") });
    expect(edited(asking, { showIf: null })).toBeUndefined();
    expect(edited(asking, { constraints: [] })).toEqual(asking.logic);
    expect(edited(asking, {})).toEqual(asking.logic);
  });

  test("reports every violation at its path in the edit", () => {
    const none = "must have at least 1 item";
    expect(
      edited(asking, { showIf: when("c"), requiredIf: when("b"), constraints: [{ must: when("c"), message: "m" }] }),
    ).toEqual([
      "showIf.elementId must name a question before it",
      "requiredIf.elementId must name a question before it",
      "constraints.0.must.elementId must name this question or one before it",
    ]);
    expect(
      edited(asking, {
        showIf: { all: [] },
        constraints: [
          { must: when("b"), message: " " },
          { message: "m", more: 1 },
        ],
      }),
    ).toEqual([
      `showIf.all ${none}`,
      "constraints.0.message must be text of 1 to 300 characters",
      "constraints.1.must is required",
      "constraints.1.more is not a known field; known are must, message, number",
    ]);
    const long = Array.from({ length: 21 }, () => ({ must: when("b"), message: "m" }));
    expect(edited(asking, { constraints: long })).toEqual(["constraints must have at most 20 items"]);
  });

  test("that retires a choice removes conditions that compare with it", () => {
    const outcome = editElement(
      "choices",
      choice,
      { choices: [{ choiceId: idsOf(choice.choices)[1], title: "y" }] },
      { newId: countingIds(), isAnswered: () => true },
    );
    if (!("question" in outcome)) throw new Error("refused");
    const replaced = finish(replaceQuestion({ pages }, outcome.question));
    expect("definition" in replaced && findElement(replaced.definition, "b")!.question).not.toHaveProperty("logic");
  });
});

test("new questions take logic, whose shape is checked", () => {
  const build = (fields: object) => buildQuestions([{ type: "short_text", text: "?", ...fields }], countingIds());
  const built = build({ showIf: when("0000000000000001"), constraints: [], requiredIf: null });
  expect("questions" in built && built.questions[0]!.question.logic).toEqual({ showIf: when("0000000000000001") });
  const plain = build({ constraints: [] });
  expect("questions" in plain && plain.questions[0]!.question).not.toHaveProperty("logic");
  const wrong = build({ showIf: 5, requiredIf: { elementId: "0000000000000001" } });
  expect("violations" in wrong && linesOf(wrong.violations)).toEqual([
    "questions.0.showIf must be an object",
    "questions.0.requiredIf.operator is required",
  ]);
});
