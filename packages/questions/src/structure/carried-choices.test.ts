import { describe, expect, test } from "vitest";
import { reachedKeys } from "../../test/reached-keys.ts";
import { countingIds, idsOf } from "../../test/sample-question.ts";
import { ask, linesOf, page, rule } from "../../test/sample-survey.ts";
import type { WhichChoices } from "../choices-from.ts";
import type { Page, Question } from "../definition.ts";
import { findElement, withCarriedChoices } from "../definition-index.ts";
import { noFormer } from "../document/former-survey.ts";
import { readingDocument } from "../document/read-document.ts";
import { writingDocument } from "../document/write-document.ts";
import { editElement } from "../edits/edit-element.ts";
import { finish } from "../finish.ts";
import { hiddenEntriesLookup } from "../logic.ts";
import { buildQuestions } from "../new-questions.ts";
import { publicDefinition } from "../public/public-definition.ts";
import { translatedDefinition } from "../translations/translate.ts";
import { comparisonViolations, weightLimits } from "../weight.ts";
import { checkDefinition } from "./check-definition.ts";
import { removeElement } from "./remove-element.ts";
import { replaceQuestion } from "./replace-question.ts";

function carry(elementId: string, from: string, which: WhichChoices = "selected", type = "multiple_choice"): Question {
  const { choices: _, ...question } = ask(elementId, type);
  return { ...question, logic: { choicesFrom: { elementId: from, which } } };
}

const brands = ask("brands", "multiple_choice", {
  multipleAnswers: true,
  choices: [
    { text: "x", code: "1", pinned: true },
    { text: "y", freeText: true },
    "z",
    { text: "None", exclusive: true },
  ],
  typeSettings: { other: { enabled: true } },
});
const [x = "", y = "", z = "", none = ""] = idsOf(brands.choices);
const { choiceId: other } = brands.typeSettings["other"] as { choiceId: string };
const issuesOf = (pages: Page[]) =>
  linesOf(checkDefinition({ pages })).map((line) => line.replace(/^pages\.\d\.elements\.\d\./, ""));

describe("choices are carried from an earlier question", () => {
  test("with ids, texts and codes, without exclusive ones, and take no text again", () => {
    const definition = { pages: [page("p", [brands, carry("best", "brands", "selected", "dropdown")])] };
    expect(checkDefinition(definition)).toEqual([]);
    expect(findElement(definition, "best")!.question.choices).toEqual([
      { id: x, text: "x", code: "1", pinned: true, retired: false },
      { id: y, text: "y", retired: false },
      { id: z, text: "z", retired: false },
      { id: other, text: "Other", retired: false },
    ]);
    expect(withCarriedChoices(definition).pages[0]!.elements[1]!.choices).toHaveLength(4);
    expect(publicDefinition(definition).pages[0]!.elements[1]).not.toHaveProperty("choices");
  });

  test.each<[WhichChoices, answer: unknown, hidden: string[] | "not asked"]>([
    ["selected", undefined, "not asked"],
    ["selected", [], "not asked"],
    ["selected", [none], "not asked"],
    ["selected", [y, { choiceId: other, otherText: "w" }], [x, z]],
    ["not_selected", undefined, []],
    ["not_selected", [none], []],
    ["not_selected", [x, { choiceId: y, otherText: "w" }], [x, y]],
    ["not_selected", [x, y, z, other], "not asked"],
    ["shown", undefined, []],
    ["shown", [x], []],
  ])("%s of %j", (which, answer, hidden) => {
    const definition = { pages: [page("p", [brands]), page("q", [carry("best", "brands", which)])] };
    const answers = new Map(answer === undefined ? [] : [["brands", answer]]);
    const isAsked = reachedKeys(definition, answers).has("best");
    expect(isAsked ? [...(hiddenEntriesLookup(definition, answers)("best") ?? [])] : "not asked").toEqual(hidden);
  });

  test("only what the earlier question showed, and nothing where it was not asked", () => {
    const gate = ask("gate", "yes_no");
    const { when } = rule("gate", "equals", true, "");
    const some = { ...brands, logic: { entries: { [y]: when, [z]: when } } };
    const pages = [page("p", [gate, some]), page("q", [carry("rest", "brands", "not_selected")])];
    expect([...hiddenEntriesLookup({ pages }, new Map([["brands", [x]]]))("rest")!]).toEqual([x, y, z]);
    const away = [page("p", [gate, { ...brands, logic: { showIf: when } }]), pages[1]!];
    expect(reachedKeys({ pages: away }, new Map([["brands", [x]]])).has("rest")).toBe(false);
  });

  test("over several questions, and within a repetition", () => {
    const pages = [
      page("p", [brands]),
      page("loop", [ask("liked", "multiple_choice", { multipleAnswers: true }), carry("best", "liked")], {
        loop: { elementId: "brands" },
      }),
      page("q", [carry("second", "brands"), carry("third", "second")]),
    ];
    expect(checkDefinition({ pages })).toEqual([]);
    const [one = "", two = ""] = idsOf(pages[1]!.elements[0]!.choices);
    const answers = new Map<string, unknown>([
      ["brands", [x, z]],
      [`liked:${x}`, [one]],
      [`liked:${z}`, [two]],
      ["second", z],
    ]);
    const hidden = hiddenEntriesLookup({ pages }, answers);
    expect([...hidden(`best:${x}`)!, ...hidden(`best:${z}`)!]).toEqual([two, one]);
    expect([...hidden("third")!]).toEqual([x, y, other]);
  });
});

const before = "must name a question before it";

test.each<[string, Page[], string[]]>([
  ["itself", [page("p", [carry("a", "a")])], [`choicesFrom.elementId ${before}`]],
  ["each other", [page("p", [carry("a", "b"), carry("b", "a")])], [`choicesFrom.elementId ${before}`]],
  ["a later one", [page("p", [carry("a", "brands"), brands])], [`choicesFrom.elementId ${before}`]],
  ["no question", [page("p", [carry("a", "gone")])], [`choicesFrom.elementId ${before}`]],
  [
    "a number",
    [page("p", [ask("n", "number"), carry("a", "n")])],
    ["choicesFrom.elementId must name a question whose answers are choices"],
  ],
  [
    "one of a shuffled page",
    [page("p", [brands, carry("a", "brands")], { shuffle: true })],
    ["choicesFrom.elementId must not name another question of a page whose elements are shuffled"],
  ],
  [
    "another page that repeats",
    [
      page("p", [brands]),
      page("q", [ask("b", "dropdown")], { loop: { elementId: "brands" } }),
      page("r", [carry("a", "b")]),
    ],
    ["choicesFrom.elementId must name a question of this page, or of one that does not repeat"],
  ],
  [
    "more than it takes",
    [
      page("p", [
        ask("d", "dropdown", { choices: Array.from({ length: 51 }, (_, at) => `c${at}`) }),
        carry("a", "d", "shown", "ranking"),
      ]),
    ],
    [
      "choicesFrom.elementId carries 51 choices, but ranking takes at most 50: remove choices from the question that it names, or name one with fewer",
    ],
  ],
  [
    "with Other of its own, and a default",
    [
      page("p", [
        brands,
        {
          ...carry("a", "brands"),
          typeSettings: brands.typeSettings,
          logic: { ...carry("a", "brands").logic, defaultValue: x },
        },
      ]),
    ],
    [
      "defaultValue cannot be combined with choicesFrom",
      "typeSettings.other.enabled cannot be combined with choicesFrom",
    ],
  ],
  [
    "for a type without choices",
    [page("p", [brands, { ...ask("a"), logic: carry("a", "brands").logic! }])],
    ["choicesFrom is not supported by short_text"],
  ],
])("refuses choices from %s", (_name, pages, expected) => {
  const own = issuesOf(pages).filter((line) => !line.includes("at least one entry"));
  expect([...new Set(own)]).toEqual(expected);
});

test("a question carries choices by id or name of the source, and has no own choices", () => {
  const input = (more: object, fields: object = {}) => [
    { type: "multiple_choice", name: "brands", text: "Which?", multipleAnswers: true },
    { type: "ranking", text: "Order?", choicesFrom: more, ...fields },
  ];
  const build = (questions: unknown[]) => buildQuestions(questions, countingIds());
  const made = build(input({ name: "Brands" }));
  if ("violations" in made) throw new Error(JSON.stringify(made.violations));
  const [source, carrying] = made.questions.map(({ question }) => question);
  expect(carrying).not.toHaveProperty("choices");
  expect(carrying!.logic).toEqual({ choicesFrom: { elementId: source!.elementId, which: "selected" } });
  const refused = (questions: unknown[]) => {
    const result = build(questions);
    return "violations" in result ? linesOf(result.violations) : [];
  };
  expect(refused(input({ name: "brands" }, { choices: ["a"] }))).toEqual([
    "questions.1.choices cannot be combined with choicesFrom",
  ]);
  expect(refused(input({ name: "brands", which: "all" }))).toEqual([
    "questions.1.choicesFrom.which must be one of selected, not_selected, shown",
  ]);
  expect(refused(input({ which: "shown" }))).toEqual(["questions.1.choicesFrom.elementId is required"]);
});

describe("edits", () => {
  const best = carry("best", "brands");
  const asking = { ...ask("why"), logic: { showIf: rule("best", "equals", x, "").when } };
  const pages = [page("p", [brands, best, asking])];
  const edit = (question: Question, body: object) => {
    const result = editElement("settings", question, body, { newId: countingIds(), isAnswered: () => true });
    return "question" in result ? result.question : result;
  };

  test("set and take it away", () => {
    const own = ask("best", "multiple_choice");
    const set = edit(own, { settings: {}, choicesFrom: { elementId: "brands" } }) as Question;
    expect([set.choices, set.logic]).toEqual([undefined, { choicesFrom: { elementId: "brands", which: "selected" } }]);
    const back = edit(set, { settings: {}, choicesFrom: null }) as Question;
    expect([back.choices!.map(({ text }) => text), back.logic]).toEqual([["Choice 1", "Choice 2"], undefined]);
    expect(edit(set, { settings: { choices: ["a"] } })).toMatchObject({
      violations: [{ path: "settings.choices", message: "cannot be combined with choicesFrom" }],
    });
  });

  test("edits of the source affect the question, and conditions on a removed choice", () => {
    const retired = { ...brands, choices: brands.choices!.map((each) => ({ ...each, retired: each.id === x })) };
    const replaced = finish(replaceQuestion({ pages }, retired));
    if ("violations" in replaced) throw new Error(JSON.stringify(replaced.violations));
    expect(findElement(replaced.definition, "why")!.question.logic).toBeUndefined();
    const [carried] = findElement(replaced.definition, "best")!.question.choices!;
    expect(carried).toMatchObject({ id: x, retired: true });
    expect(replaced.definition.pages[0]!.elements[1]).toBe(best);
    const kept = finish(replaceQuestion({ pages }, { ...best, text: "Best?" }));
    expect("definition" in kept && findElement(kept.definition, "why")!.question.logic).toEqual(asking.logic);
  });

  test("do not take the source away", () => {
    expect(removeElement({ pages }, "brands")).toEqual({
      violations: [
        {
          path: "pages.0.elements.1.choicesFrom",
          message: "carries the choices of this question; give it its own choices first",
        },
      ],
    });
  });
});

test("a survey has a limited number of them", () => {
  const many = Array.from({ length: weightLimits.carryingQuestions + 1 }, (_, at) => carry(`c${at}`, "brands"));
  expect(linesOf(comparisonViolations({ pages: [page("p", [brands, ...many])] }, "here"))).toEqual([
    "here must not bring the survey's questions with choicesFrom above 50",
  ]);
});

test("translations come from the source", () => {
  const translations = { de: { [`choices.${x}`]: { text: "ix", source: "" } } };
  const definition = { pages: [page("p", [{ ...brands, translations }, carry("best", "brands")])] };
  const german = findElement(translatedDefinition(definition, "de"), "best")!.question;
  expect(german.choices!.map(({ text }) => text)).toEqual(["ix", "y", "z", "Other"]);
});

test("a document keeps them, with a condition about Other that is carried", () => {
  const asking = { ...ask("why"), logic: { showIf: rule("best", "equals", other, "").when } };
  const definition = { pages: [page("p", [brands, carry("best", "brands", "not_selected"), asking])] };
  const fields = { name: "A survey", description: "", language: "en", type: 1 };
  const source = { fields, settings: {}, translations: {}, definition, keys: new Map<string, string>() };
  const text = finish(writingDocument(source));
  expect(text).toContain('"which": "not_selected"');
  const context = { newId: countingIds(), isAnswered: () => false, digest: (each: string) => each };
  const read = finish(readingDocument(JSON.parse(text) as Record<string, unknown>, noFormer, context));
  expect(read.violations).toEqual([]);
  expect(checkDefinition(read.definition)).toEqual([]);
  expect(finish(writingDocument({ ...source, definition: read.definition, keys: read.keys }))).toBe(text);
});
