import { expect, test } from "vitest";
import { idsOf } from "../../test/sample-question.ts";
import { ask, linesOf, page, rule } from "../../test/sample-survey.ts";
import { withLogic } from "../element-logic.ts";
import type { Page, SkipRule } from "../definition.ts";
import { checkDefinition } from "./check-definition.ts";

const pathsOf = (pages: Page[]): string[] => checkDefinition({ pages }).map(({ path }) => path);

test("a draft of sound questions has no issues, an empty page among them neither", () => {
  expect(pathsOf([page("p1", [ask("a"), ask("b", "multiple_choice")]), page("p2", [])])).toEqual([]);
});

test("a draft without questions has one issue however many pages, and says what to do", () => {
  expect(checkDefinition({ pages: [page("p1", []), page("p2", [])] })).toEqual([
    {
      path: "questions",
      code: "no_questions",
      message: "must have at least one question before the survey can be published",
      suggestion: "Add a question.",
    },
  ]);
});

test("empty texts and lists without an entry that is not retired are found where they are", () => {
  const choices = [{ id: "gone", text: "gone", retired: true }];
  const pages = [
    page("p1", [{ ...ask("a"), text: null }]),
    page("p2", [
      { ...ask("b"), text: " \n\u200b" },
      { ...ask("c", "dropdown"), choices },
      { ...ask("d", "matrix"), rows: [], columns: [] },
    ]),
  ];
  expect(checkDefinition({ pages }).map(({ path, code }) => `${path} ${code}`)).toEqual([
    "pages.0.elements.0.text empty_text",
    "pages.1.elements.0.text empty_text",
    "pages.1.elements.1.choices entries_missing",
    "pages.1.elements.2.rows entries_missing",
    "pages.1.elements.2.columns entries_missing",
  ]);
});

test("a loop takes its items from several answers on an earlier page that does not repeat", () => {
  const several = (id: string) => ask(id, "multiple_choice", { multipleAnswers: true });
  const loop = (elementId: string) => ({ loop: { elementId } });
  expect(pathsOf([page("p1", [several("a")]), page("p2", [ask("b")], loop("a"))])).toEqual([]);
  const wrong: [Page[], string][] = [
    [[page("p1", [ask("b")]), page("p2", [several("a")], loop("a"))], "on an earlier page"],
    [[page("p1", [ask("b")], loop("nowhere"))], "on an earlier page"],
    [[page("p1", [ask("a")]), page("p2", [ask("b")], loop("a"))], "takes several answers"],
    [[page("p1", [ask("a", "multiple_choice")]), page("p2", [ask("b")], loop("a"))], "takes several answers"],
    [
      [page("p1", [several("a")]), page("p2", [several("b")], loop("a")), page("p3", [ask("c")], loop("b"))],
      "does not repeat",
    ],
  ];
  for (const [pages, words] of wrong) {
    expect(linesOf(checkDefinition({ pages }))).toEqual([
      expect.stringMatching(`^pages.\\d.loop.elementId .*${words}$`),
    ]);
  }
});

test("skip logic leads forward, and depends on earlier questions", () => {
  const rules = (...skipLogic: SkipRule[]) => ({ skipLogic });
  const end = page("p2", [ask("b")]);
  for (const goTo of ["p2", "end"]) {
    expect(pathsOf([page("p1", [ask("a")], rules(rule("a", "answered", undefined, goTo))), end])).toEqual([]);
  }
  expect(pathsOf([page("p1", [ask("a")], rules(rule("b", "answered", undefined, "nowhere"))), end])).toEqual([
    "pages.0.skipLogic.0.when.elementId",
    "pages.0.skipLogic.0.goTo",
  ]);
  for (const goTo of ["p1", "p2"]) {
    const back = page("p2", [ask("b")], rules(rule("a", "answered", undefined, goTo)));
    expect(pathsOf([page("p1", [ask("a")]), back])).toEqual(["pages.1.skipLogic.0.goTo"]);
  }
});

const choices = ask("a", "multiple_choice", { choices: ["A", "B"], typeSettings: { other: { enabled: true } } });
const [a = ""] = idsOf(choices.choices);
const other = (choices.typeSettings["other"] as { choiceId: string }).choiceId;
const matrix = ask("a", "matrix");
const dropdowns = ask("a", "dropdown_matrix");

test.each([
  [choices, "equals", a],
  [choices, "equals", [a, other]],
  [choices, "contains", [a]],
  [choices, "answered", undefined],
  [choices, "not_answered", null],
  [ask("a", "image_choice"), "not_equals", a],
  [ask("a", "dropdown"), "equals", a],
  [ask("a", "yes_no"), "equals", false],
  [ask("a", "consent"), "not_equals", true],
  [ask("a", "rating"), "less_than", 3],
  [ask("a", "nps"), "greater_than", 8],
  [ask("a", "number"), "equals", 0],
  [ask("a", "slider"), "less_than", 0.5],
  [ask("a"), "contains", "x"],
  [ask("a", "long_text"), "equals", "x"],
  [ask("a", "date_time"), "less_than", "2026-01-31"],
  [matrix, "contains", idsOf(matrix.columns)[0]],
  [dropdowns, "contains", idsOf(dropdowns.columns![0]!.options)[0]],
  [ask("a", "contact_info"), "contains", "Berlin"],
  [ask("a", "ranking"), "answered", undefined],
  [choices, "in", [a]],
  [choices, "not_contains", a],
  [ask("a", "number"), "between", [1, 5]],
  [ask("a", "date_time"), "at_least", "2026-01-31"],
  [ask("a"), "not_in", ["x", "y"]],
  [ask("a", "long_text"), "starts_with", "x"],
] as const)("a rule may ask %#", (question, operator, value) => {
  expect(
    linesOf(checkDefinition({ pages: [page("p1", [question], { skipLogic: [rule("a", operator, value, "end")] })] })),
  ).toEqual([]);
});

test.each([
  [choices, "equals", "nowhere", "value must be the id of a choice"],
  [choices, "contains", [a, 1], "value must be the id of a choice"],
  [choices, "contains", [], "value must be the id of a choice"],
  [
    choices,
    "greater_than",
    a,
    "operator does not fit multiple_choice; operators of it are answered, not_answered, equals, not_equals, in, not_in, contains, not_contains",
  ],
  [choices, "equals", undefined, "value is required"],
  [choices, "answered", a, "value is not supported by answered"],
  [ask("a", "dropdown"), "equals", [a], "value must be the id of a choice"],
  [ask("a", "yes_no"), "equals", "yes", "value must be true or false"],
  [ask("a", "yes_no"), "less_than", true, "operator does not fit"],
  [ask("a", "rating"), "equals", "3", "value must be a number"],
  [ask("a"), "contains", "", "value must be text"],
  [ask("a"), "less_than", "x", "operator does not fit short_text"],
  [ask("a", "date_time"), "less_than", "soon", "value must be a date"],
  [matrix, "equals", a, "operator does not fit matrix"],
  [matrix, "contains", "nowhere", "value must be the id of a column"],
  [ask("a", "file_upload"), "contains", "x", "operator does not fit file_upload"],
  [choices, "in", a, "value must be a list"],
  [choices, "in", [a, "nowhere"], "value must be a list of which each item must be the id of a choice"],
  [ask("a", "yes_no"), "in", [true], "operator does not fit yes_no"],
  [ask("a", "number"), "between", [1], "value must be a list of the lowest and the highest"],
  [ask("a", "number"), "between", [1, "5"], "value must be a list of which each item must be a number"],
  [ask("a", "statement"), "answered", undefined, "elementId must name a question; statement takes no answer"],
] as const)("a rule may not ask %#", (question, operator, value, words) => {
  const skipLogic = [rule("a", operator, value, "end")];
  const lines = linesOf(checkDefinition({ pages: [page("p1", [question], { skipLogic })] }));
  expect(lines).toEqual([expect.stringContaining(`pages.0.skipLogic.0.when.${words}`)]);
});

test("conditions on pages that repeat weigh as often as the pages may repeat", () => {
  const choices = Array.from({ length: 200 }, (_, at) => `Choice ${at}`);
  const source = ask("a", "multiple_choice", { multipleAnswers: true, choices });
  const shown = {
    any: Array.from({ length: 50 }, (_, at) => ({ elementId: "b", operator: "equals" as const, value: `${at}` })),
  };
  const repeated = (name: string, questions: number) => {
    const asking = Array.from({ length: questions }, (_, at) => withLogic(ask(`${name}${at}`), { showIf: shown }));
    return page(name, asking, { loop: { elementId: "a" } });
  };
  const survey = (...pages: Page[]) => ({ pages: [page("p1", [source, ask("b")]), ...pages] });
  expect(checkDefinition(survey(repeated("p2", 2)))).toEqual([]);
  const once = { ...repeated("p2", 3), loop: null };
  expect(checkDefinition(survey(once))).toEqual([]);
  for (const pages of [[repeated("p2", 3)], [repeated("p2", 2), repeated("p3", 1)]]) {
    expect(checkDefinition(survey(...pages))).toMatchObject([
      { code: "too_heavy", path: `pages.${pages.length}.loop` },
    ]);
  }
});
