import type { JsonObject } from "@canvass/values";
import { describe, expect, test } from "vitest";
import { countingIds, idsOf } from "../../test/sample-question.ts";
import { ask, linesOf, page, rule } from "../../test/sample-survey.ts";
import type { AnswerCondition, Condition } from "../conditions/condition.ts";
import type { Page, Question } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { noFormer } from "../document/former-survey.ts";
import { readingDocument } from "../document/read-document.ts";
import { editElement, violationsOfEdit } from "../edits/edit-element.ts";
import type { ElementEditName } from "../edits/element-edits.ts";
import { finish } from "../finish.ts";
import { hiddenEntriesLookup } from "../logic.ts";
import { reachedKeys } from "../../test/reached-keys.ts";
import { buildQuestions } from "../new-questions.ts";
import { comparisonViolations, weightLimits } from "../weight.ts";
import { checkDefinition } from "./check-definition.ts";
import { removeElement } from "./remove-element.ts";
import { replaceQuestion } from "./replace-question.ts";

const when = (elementId: string, operator: AnswerCondition["operator"] = "answered", value?: unknown): Condition =>
  rule(elementId, operator, value, "").when;

function shownIf(question: Question, conditions: readonly (Condition | null)[]): Question {
  const ids = idsOf(question.choices ?? question.rows);
  const entries = ids.flatMap((id, at) => (conditions[at] ? [[id, conditions[at]] as const] : []));
  return { ...question, logic: { entries: Object.fromEntries(entries) } };
}

const several = ask("b", "multiple_choice", { choices: ["x", "y", "z"], multipleAnswers: true });
const [x = "", y = "", z = ""] = idsOf(several.choices);
const asked = ask("a", "dropdown", { choices: ["p", "q"] });
const [p = ""] = idsOf(asked.choices);
const issuesOf = (pages: Page[]) => linesOf(checkDefinition({ pages }));

describe("conditions of choices and rows depend on earlier questions only", () => {
  const before = "must name a question before it";
  test.each<[string, Page[], string[]]>([
    ["a page before", [page("p1", [asked]), page("p2", [shownIf(several, [when("a")])])], []],
    ["the same page", [page("p1", [asked, shownIf(several, [null, when("a", "equals", p)])])], []],
    ["itself", [page("p1", [shownIf(several, [null, when("b")])])], [`choices.1.showIf.elementId ${before}`]],
    ["a later one", [page("p1", [shownIf(several, [when("a")]), asked])], [`choices.0.showIf.elementId ${before}`]],
    [
      "a wrong value",
      [page("p1", [asked, shownIf(ask("m", "matrix"), [null, { all: [when("a", "equals", "no")] }])])],
      ["rows.1.showIf.all.0.value must be the id of a choice of the question, or a list of them"],
    ],
    [
      "another of a shuffled page",
      [page("p1", [asked, shownIf(several, [when("a")])], { shuffle: true })],
      ["choices.0.showIf.elementId must not name another question of a page whose elements are shuffled"],
    ],
  ])("%s", (_name, pages, violations) => {
    expect(issuesOf(pages).map((line) => line.replace(/^pages\.\d\.elements\.\d\./, ""))).toEqual(violations);
  });

  test("a broken one is reported as display logic, not as a placeholder", () => {
    const pages = [page("p1", [shownIf(several, [when("gone")]), shownIf(ask("m", "matrix"), [when("gone")])])];
    expect(checkDefinition({ pages }).map(({ path, code }) => `${path} ${code}`)).toEqual([
      "pages.0.elements.0.choices.0.showIf.elementId display_logic_broken",
      "pages.0.elements.1.rows.0.showIf.elementId display_logic_broken",
    ]);
  });

  test("removing or retiring an entry removes the conditions that depend on it", () => {
    const pages = [page("p1", [asked, ask("c"), shownIf(several, [when("a"), when("c"), when("a", "equals", p)])])];
    const removal = removeElement({ pages }, "a");
    if ("violations" in removal) throw new Error("refused");
    expect(findElement(removal.definition, "b")!.question.logic).toEqual({ entries: { [y]: when("c") } });
    expect(removal.cleaned).toMatchObject([{ conditions: 2 }]);
    const retired = { ...asked, choices: asked.choices!.map((each) => ({ ...each, retired: each.id === p })) };
    const replaced = finish(replaceQuestion({ pages }, retired));
    expect("definition" in replaced && findElement(replaced.definition, "b")!.question.logic).toEqual({
      entries: { [x]: when("a"), [y]: when("c") },
    });
  });

  test("they count as comparisons of the survey", () => {
    const many = ask("many", "dropdown", { choices: Array.from({ length: 41 }, (_, at) => `c${at}`) });
    const any = { any: Array.from({ length: 50 }, () => when("a")) };
    const heavy = shownIf(
      many,
      Array.from({ length: 41 }, () => any),
    );
    expect(linesOf(comparisonViolations({ pages: [page("p1", [asked, heavy])] }, "here"))).toEqual([
      `here must not bring the comparisons of the survey's conditions above ${weightLimits.surveyComparisons}`,
    ]);
  });
});

describe("conditions are given with choices and rows", () => {
  const known = "a".padEnd(16, "0");

  test("of a new question", () => {
    const input = (showIf: unknown) => [{ type: "dropdown", text: "?", choices: ["x", { text: "y", showIf }] }];
    const made = buildQuestions(input(when(known)), countingIds());
    if (!("questions" in made)) throw new Error("refused");
    const { question } = made.questions[0]!;
    expect(question.logic).toEqual({ entries: { [question.choices![1]!.id]: when(known) } });
    expect(question.choices![1]).not.toHaveProperty("showIf");
    const plain = buildQuestions(input(null), countingIds());
    expect("questions" in plain && plain.questions[0]!.question).not.toHaveProperty("logic");
    const refused = (showIf: unknown) => {
      const built = buildQuestions(input(showIf), countingIds());
      return "violations" in built ? built.violations.map(({ path }) => path) : [];
    };
    expect(refused("x")).toEqual(["questions.0.choices.1.showIf"]);
    expect(refused({ all: [] })).toEqual(["questions.0.choices.1.showIf.all"]);
    expect(refused({ not: { not: { not: { not: { not: when(known) } } } } })).toHaveLength(1);
    expect(refused({ any: [{ elementId: known, operator: "is" }] })).toEqual([
      "questions.0.choices.1.showIf.any.0.operator",
    ]);
    const ofColumns = buildQuestions(
      [{ type: "matrix", text: "?", columns: [{ text: "y", showIf: when(known) }] }],
      countingIds(),
    );
    expect("violations" in ofColumns && ofColumns.violations.map(({ path }) => path)).toEqual([
      "questions.0.columns.0.showIf",
    ]);
  });

  const shown = shownIf(several, [when("a"), null, when("a")]);
  const pages = [page("p1", [asked, shown, ask("later")])];
  const edited = (name: ElementEditName, body: JsonObject, isAnswered = true) => {
    const outcome = editElement(name, shown, body, {
      newId: () => "new".padEnd(16, "0"),
      isAnswered: () => isAnswered,
    });
    if (!("question" in outcome)) return "violations" in outcome ? linesOf(outcome.violations) : [];
    const replaced = finish(replaceQuestion({ pages }, outcome.question));
    return "violations" in replaced
      ? linesOf(violationsOfEdit(name, replaced.violations, body))
      : (findElement(replaced.definition, "b")!.question.logic?.entries ?? {});
  };
  const all = (...fields: object[]) => ({
    settings: { choices: [x, y, z].map((id, at) => ({ id, text: "t", ...fields[at] })) },
  });

  test("in an edit an absent one stays, null removes it, and one of an entry that goes is gone", () => {
    expect(edited("settings", all())).toEqual(shown.logic!.entries);
    expect(edited("settings", all({ showIf: null }, { showIf: when("a") }))).toEqual({
      [y]: when("a"),
      [z]: when("a"),
    });
    expect(edited("settings", { settings: { choices: [{ id: y, text: "y" }] } })).toEqual({});
    expect(edited("deleteChoice", { choiceId: z })).toEqual({ [x]: when("a") });
    expect(edited("choiceOrder", { choiceIds: [z, y, x] })).toEqual(shown.logic!.entries);
    const choice = { choiceId: y, questionId: "q-b", newTitle: "Y" };
    expect(edited("choice", { ...choice, showIf: when("a") })).toEqual({ ...shown.logic!.entries, [y]: when("a") });
    const listed = [
      { choiceId: null, title: "N", showIf: when("a") },
      { choiceId: x, title: "X" },
    ];
    expect(edited("choices", { choices: listed })).toEqual({ ["new".padEnd(16, "0")]: when("a"), [x]: when("a") });
  });

  test("and violations are where it was given", () => {
    const later = "must name a question before it";
    expect(edited("settings", all({}, { showIf: when("later") }))).toEqual([
      `settings.choices.1.showIf.elementId ${later}`,
    ]);
    const choice = { choiceId: y, questionId: "q-b", newTitle: "Y" };
    expect(edited("choice", { ...choice, showIf: when("later") })).toEqual([`showIf.elementId ${later}`]);
    expect(edited("choice", { ...choice, showIf: { all: [] } })).toEqual([
      expect.stringMatching(/^showIf\.all must have/),
    ]);
    const listed = [
      { choiceId: x, title: "X" },
      { choiceId: y, title: "Y", showIf: { not: when("b") } },
    ];
    expect(edited("choices", { choices: listed })).toEqual([`choices.1.showIf.not.elementId ${later}`]);
  });

  test("in a document they name elements and entries by keys", () => {
    const element = (showIf: unknown) => ({
      name: "S",
      pages: [
        {
          key: "p",
          elements: [
            { key: "a", type: "dropdown", text: "A", choices: [{ key: "p", text: "P" }] },
            {
              key: "t",
              type: "matrix",
              text: "T",
              rows: [{ key: "r", text: "R", showIf }],
              columns: [{ key: "c", text: "C" }],
            },
          ],
        },
      ],
    });
    const read = (showIf: unknown) =>
      finish(
        readingDocument(element(showIf), noFormer, {
          newId: countingIds(),
          isAnswered: () => false,
          digest: (text) => text,
        }),
      );
    const { definition, violations } = read({ element: "a", operator: "equals", value: "p" });
    expect(violations).toEqual([]);
    const [a, t] = definition.pages[0]!.elements;
    expect(t!.logic).toEqual({ entries: { [t!.rows![0]!.id]: when(a!.elementId, "equals", a!.choices![0]!.id) } });
    const place = "pages.0.elements.1.rows.0.showIf";
    expect(linesOf(read({ element: "t", operator: "answered" }).violations)).toEqual([
      `${place}.element must name a question before it`,
    ]);
    expect(read({ any: [{ element: "gone", operator: "answered" }] }).violations).toMatchObject([
      { path: `${place}.any.0.element` },
    ]);
    expect(read(7).violations).toMatchObject([{ path: place }]);
  });
});

describe("a question", () => {
  test("is not asked if nothing of a list is shown, unless Other is", () => {
    const never = when("a");
    const other = ask("c", "multiple_choice", { choices: ["x"], typeSettings: { other: { enabled: true } } });
    const pages = [
      page("p1", [asked, shownIf(several, [never, never, never]), shownIf(other, [never])]),
      page("p2", [shownIf(ask("m", "matrix", { rows: ["r"] }), [never])]),
    ];
    expect([...reachedKeys({ pages }, new Map())]).toEqual(["a", "c"]);
    const hidden = hiddenEntriesLookup({ pages }, new Map());
    expect(["a", "b", "c", "m"].map((key) => hidden(key)?.size)).toEqual([undefined, undefined, 1, undefined]);
    expect([...reachedKeys({ pages }, new Map([["a", p]]))]).toEqual(["a", "b", "c", "m"]);
  });

  test("is read as often as it is asked, however many choices ask it", () => {
    const readsOf = (count: number) => {
      const first = ask("e0", "multiple_choice", { multipleAnswers: true });
      const questions = Array.from({ length: count }, (_, at) =>
        shownIf(
          ask(`e${at + 1}`, "multiple_choice", { choices: Array.from({ length: 20 }, (_, choice) => `c${choice}`) }),
          Array.from({ length: 20 }, () => when(`e${at}`)),
        ),
      );
      const pages = [first, ...questions].map((question, at) => page(`p${at}`, [question]));
      let reads = 0;
      const get = (key: string) => {
        reads += 1;
        return key === "e0" ? idsOf(first.choices) : "c0";
      };
      hiddenEntriesLookup({ pages }, { get })(`e${count}`);
      return reads;
    };
    expect(readsOf(300)).toBeLessThanOrEqual(2 * 300);
  });
});
