import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { idsOf, sampleQuestion } from "../../test/sample-question.ts";
import { ask, page, rule } from "../../test/sample-survey.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import type { Answered, AnsweredCounts } from "./change.ts";
import { compareDefinitions } from "./compare-definitions.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
const counts = (responses: number, byKey: Record<string, number> = {}): AnsweredCounts => ({
  responses,
  byKey: new Map(Object.entries(byKey)),
});
const on = (...elements: Question[]): SurveyDefinition => ({ pages: [page("p1", elements)] });

/** Returns `kind class affectedResponses` of every change. */
function linesOf(base: SurveyDefinition, draft: SurveyDefinition, answered: Answered = new Map()): string[] {
  return compareDefinitions(base, draft, answered, hash).map(
    (change) => `${change.kind} ${change.class} ${change.affectedResponses}`,
  );
}

/** Returns the changes of a question with 5 answers. Without answers, all of them must be safe. */
function edited(question: Question, changes: Partial<Question>, byKey: Record<string, number> = {}): string[] {
  const answered = new Map([[question.questionId, counts(5, byKey)]]);
  const now = { ...question, ...changes };
  const unanswered = linesOf(on(question), on(now));
  expect(unanswered.every((line) => line.endsWith(" safe 0"))).toBe(true);
  return linesOf(on(question), on(now), answered);
}

describe("a question that was answered", () => {
  const text = sampleQuestion("short_text", { helpText: "h" });
  const asked = { elementId: text.elementId, operator: "answered" as const };

  test.each([
    [{ text: "Why, then?" }, ["question_reworded results_affecting 5"]],
    [{ helpText: null }, ["help_text_changed safe 0"]],
    [{ name: "why" }, ["question_renamed results_affecting 5"]],
    [{ translations: { de: { text: { text: "Was?", source: "x" } } } }, ["translations_changed safe 0"]],
    [
      { translations: { de: { "constraints.0.message": { text: "Nein.", source: "x" } } } },
      ["translations_changed safe 0"],
    ],
    [{ logic: { constraints: [{ must: asked, message: "No." }] } }, ["constraints_changed results_affecting 5"]],
    [{ responseValidation: { required: true } }, ["required_changed results_affecting 5"]],
    [{ type: 2, typeSettings: {}, text: "?" }, ["type_changed breaking 5"]],
    [{}, []],
  ])("changes: %j", (changes, lines) => {
    expect(edited(text, changes)).toEqual(lines);
  });

  test("a translation that changes again is another change, which names languages", () => {
    const into = (german: string) => ({ ...text, translations: { de: { text: { text: german, source: "x" } } } });
    const [first, second] = ["Was?", "Wie?"].map(
      (german) => compareDefinitions(on(text), on(into(german)), new Map(), hash)[0]!,
    );
    expect(first).toMatchObject({ before: { languages: [] }, after: { languages: ["de"] } });
    expect(first!.changeId).not.toBe(second!.changeId);
    const titled = (translations: object) => ({ pages: [page("p1", [text], { title: "One", ...translations })] });
    const german = { translations: { de: { title: { text: "Eins", source: "x" } } } };
    expect(linesOf(titled({}), titled(german))).toEqual(["translations_changed safe 0"]);
  });

  test("says what was and what is", () => {
    const [change] = compareDefinitions(
      on(text),
      on({ ...text, text: "Why?" }),
      new Map([[text.questionId, counts(7)]]),
      hash,
    );
    expect(change).toEqual({
      changeId: expect.stringMatching(/^[0-9a-f]{16}$/),
      class: "results_affecting",
      kind: "question_reworded",
      elementId: text.elementId,
      affectedResponses: 7,
      before: "What?",
      after: "Why?",
      message: "Rewords the question “What?” to “Why?”.",
    });
  });
});

test("adding, changing or removing a name is described with the old and the new name", () => {
  const named = { ...sampleQuestion("short_text"), name: "why" };
  const change = (from: Question, to: Question) => {
    const [first] = compareDefinitions(on(from), on(to), new Map([[named.questionId, counts(1)]]), hash);
    return [first!.kind, first!.before, first!.after, first!.message];
  };
  const { name: _, ...unnamed } = named;
  const said = "Changes the name of the question “What?” from";
  expect(change(unnamed, named)).toEqual(["question_renamed", null, "why", `${said} none to “why”.`]);
  expect(change(named, { ...named, name: "Why" })).toEqual([
    "question_renamed",
    "why",
    "Why",
    `${said} “why” to “Why”.`,
  ]);
  expect(change(named, unnamed)).toEqual(["question_renamed", "why", null, `${said} “why” to none.`]);
});

test("a code concerns all answers, since it decides how exports number the other entries", () => {
  const matrix = sampleQuestion("dropdown_matrix", { rows: ["r"], columns: [{ text: "c", options: ["x", "y"] }] });
  const withCode = <Entry extends object>([first, ...others]: readonly Entry[]) =>
    [{ ...first!, code: "1" }, ...others] as Entry[];
  const columns = matrix.columns!.map((column) => ({ ...column, options: withCode(column.options!) }));
  expect(edited(matrix, { rows: withCode(matrix.rows!) })).toEqual(["rows_recoded results_affecting 5"]);
  expect(edited(matrix, { columns: withCode(matrix.columns!) })).toEqual(["columns_recoded results_affecting 5"]);
  expect(edited(matrix, { columns })).toEqual(["options_recoded results_affecting 5"]);
  const choice = sampleQuestion("multiple_choice", { typeSettings: { other: { enabled: true } } });
  const other = { ...(choice.typeSettings["other"] as object), code: "9" };
  expect(edited(choice, { typeSettings: { ...choice.typeSettings, other } })).toEqual([
    "setting_changed results_affecting 5",
  ]);
});

test("exclusive and freeText affect the answers that name their entry, pinned affects none", () => {
  const choice = sampleQuestion("multiple_choice", { multipleAnswers: true, choices: ["A", "B"] });
  const [a, b] = choice.choices!;
  const marked = (marks: object) => ({ choices: [a!, { ...b!, ...marks }] });
  const byKey = new Map([[b!.id, 3]]);
  const changes = (marks: object) =>
    compareDefinitions(
      on(choice),
      on({ ...choice, ...marked(marks) }),
      new Map([[choice.questionId, { responses: 5, byKey }]]),
      hash,
    );
  expect(changes({ pinned: true })).toMatchObject([{ kind: "choices_marked", class: "safe", affectedResponses: 0 }]);
  expect(changes({ exclusive: true, freeText: true, pinned: true })).toMatchObject([
    {
      kind: "choices_marked",
      class: "results_affecting",
      affectedResponses: 3,
      message: "Changes exclusive, freeText, pinned of the choice “B” of the question “What?”.",
    },
  ]);
});

type Settings = Record<string, unknown>;

/** Type, settings before, settings after, class of the change. */
const settings: [string, Settings, Settings, string][] = [
  ["multiple_choice", { multipleAnswers: true }, { multipleAnswers: true, minSelections: 0 }, "results_affecting"],
  ["multiple_choice", { multipleAnswers: true, minSelections: 0 }, { multipleAnswers: true }, "results_affecting"],
  ["matrix", {}, { shuffleRows: true }, "safe"],
  ["dropdown_matrix", {}, { shuffleColumns: true }, "safe"],
  ["constant_sum", { shuffle: true }, {}, "safe"],
  ["short_text", { minLength: 1 }, { minLength: 2 }, "results_affecting"],
  ["short_text", { minLength: 2 }, { minLength: 1 }, "safe"],
  ["short_text", { maxLength: 20 }, { maxLength: 10 }, "results_affecting"],
  ["short_text", { maxLength: 10 }, { maxLength: 20 }, "safe"],
  ["short_text", {}, { pattern: "a" }, "results_affecting"],
  ["short_text", { pattern: "a" }, {}, "safe"],
  ["short_text", { format: "url" }, { format: "email" }, "results_affecting"],
  ["long_text", { maxLength: 20 }, { maxLength: 10 }, "results_affecting"],
  ["long_text", { minLength: 20 }, { minLength: 10 }, "safe"],
  ["number", {}, { min: 0 }, "results_affecting"],
  ["number", { min: 0 }, {}, "safe"],
  ["number", { max: 10 }, { max: 9 }, "results_affecting"],
  ["number", { max: 10 }, { max: 11 }, "safe"],
  ["number", {}, { decimals: 2 }, "results_affecting"],
  ["number", { decimals: 0 }, { decimals: 2 }, "safe"],
  ["multiple_choice", { multipleAnswers: true }, {}, "breaking"],
  ["multiple_choice", {}, { multipleAnswers: true }, "results_affecting"],
  ["multiple_choice", {}, { shuffle: true }, "safe"],
  ["multiple_choice", { multipleAnswers: true }, { multipleAnswers: true, minSelections: 2 }, "results_affecting"],
  ["multiple_choice", { multipleAnswers: true, maxSelections: 1 }, { multipleAnswers: true, maxSelections: 2 }, "safe"],
  ["image_choice", { multipleAnswers: true }, {}, "breaking"],
  ["dropdown", {}, { shuffle: true }, "safe"],
  ["yes_no", {}, { labels: { yes: "Aye", no: "No" } }, "results_affecting"],
  ["rating", { steps: 5 }, { steps: 4 }, "breaking"],
  ["rating", { steps: 5 }, { steps: 6 }, "results_affecting"],
  ["rating", {}, { style: "heart" }, "safe"],
  ["rating", {}, { labels: { 1: "bad" } }, "results_affecting"],
  ["nps", {}, { leftLabel: "Never" }, "results_affecting"],
  ["nps", { subject: "us" }, { subject: " us" }, "safe"],
  ["slider", {}, { step: 5 }, "results_affecting"],
  ["date_time", {}, { mode: "time" }, "breaking"],
  ["date_time", {}, { min: "2026-01-01" }, "results_affecting"],
  ["date_time", { min: "2026-01-02" }, { min: "2026-01-01" }, "safe"],
  ["date_time", { max: "2026-01-02" }, { max: "2026-01-01" }, "results_affecting"],
  ["matrix", { multiple: true }, {}, "breaking"],
  ["matrix", {}, { eachRowRequired: true }, "results_affecting"],
  ["matrix", { eachRowRequired: true }, {}, "safe"],
  ["dropdown_matrix", {}, { eachRowRequired: true }, "results_affecting"],
  ["ranking", {}, { rankAll: false }, "results_affecting"],
  ["ranking", {}, { shuffle: true }, "safe"],
  ["constant_sum", {}, { total: 10 }, "results_affecting"],
  ["file_upload", { maxFiles: 2 }, {}, "results_affecting"],
  ["file_upload", {}, { maxSizeMb: 20 }, "safe"],
  ["file_upload", {}, { extensions: ["png"] }, "results_affecting"],
  ["file_upload", { extensions: ["PNG"] }, { extensions: ["png", "gif"] }, "safe"],
  ["file_upload", { extensions: ["png"] }, {}, "safe"],
  ["consent", {}, { text: "I do." }, "results_affecting"],
  ["consent", {}, { mustAccept: true }, "results_affecting"],
  ["consent", { mustAccept: true }, {}, "safe"],
  ["contact_info", {}, { parts: { phone: { show: false } } }, "results_affecting"],
  ["contact_info", {}, { parts: { email: { required: true } } }, "results_affecting"],
  ["contact_info", {}, { parts: { city: { show: true } } }, "safe"],
  ["statement", {}, { text: "Read this." }, "safe"],
];

test.each(settings)("of %s, %j to %j is %s", (type, before, after, worst) => {
  const question = sampleQuestion(type, { typeSettings: before });
  const now = { ...question, typeSettings: sampleQuestion(type, { typeSettings: after }).typeSettings };
  expect(edited(question, now)).toEqual([`setting_changed ${worst} ${worst === "safe" ? 0 : 5}`]);
});

test("settings that were not there yet when the question was published are at their defaults", () => {
  const question = sampleQuestion("rating");
  const { labels: _, ...old } = question.typeSettings;
  expect(linesOf(on({ ...question, typeSettings: old }), on(question))).toEqual([]);
});

test("changing the subject of an NPS question is listed once, as a changed text", () => {
  const question = sampleQuestion("nps", { subject: "A" });
  const { text, typeSettings } = sampleQuestion("nps", { subject: "B" });
  expect(edited(question, { text, typeSettings })).toEqual(["question_reworded results_affecting 5"]);
});

describe("choices", () => {
  const question = sampleQuestion("multiple_choice", {
    choices: ["A", "B", "C"],
    multipleAnswers: true,
    typeSettings: { other: { enabled: true } },
  });
  const [a = "", b = ""] = idsOf(question.choices);
  const [first, second, third] = question.choices! as [never, never, never];
  const choices = question.choices!;
  const other = question.typeSettings["other"] as { choiceId: string };
  const withOther = (changes: object) => ({
    typeSettings: { ...question.typeSettings, other: { ...other, ...changes } },
  });

  test.each([
    ["added", { choices: [...choices, { id: "new", text: "D", retired: false }] }, "choices_added results_affecting 5"],
    [
      "reworded",
      { choices: choices.with(0, { id: a, text: "A!", retired: false }) },
      "choices_reworded results_affecting 2",
    ],
    [
      "reworded where nobody chose",
      { choices: choices.with(1, { id: b, text: "B!", retired: false }) },
      "choices_reworded safe 0",
    ],
    [
      "retired",
      { choices: choices.with(0, { id: a, text: "A", retired: true }) },
      "choices_removed results_affecting 2",
    ],
    ["deleted", { choices: choices.slice(1) }, "choices_removed results_affecting 2"],
    ["deleted where nobody chose", { choices: choices.toSpliced(1, 1) }, "choices_removed safe 0"],
    ["reordered", { choices: [third, first, second] }, "choices_reordered results_affecting 5"],
    ["Other switched off", withOther({ enabled: false }), "setting_changed results_affecting 1"],
    ["Other reworded", withOther({ label: "More" }), "setting_changed results_affecting 1"],
  ])("are %s", (_name, changes, line) => {
    expect(edited(question, changes, { [a]: 2, [other.choiceId]: 1 })).toEqual([line]);
  });

  test("several of one kind are one change, which affects no more answers than the question has", () => {
    const all = choices.map((choice) => ({ ...choice, text: `${choice.text}!` }));
    const [c] = [choices[2]!.id];
    expect(edited(question, { choices: all }, { [a]: 4, [b]: 3, [c]: 0 })).toEqual([
      "choices_reworded results_affecting 5",
    ]);
  });

  test("a retired one comes back like a new one, and stays away without a change", () => {
    const retired = { ...question, choices: choices.with(0, { ...choices[0]!, retired: true }) };
    expect(edited(retired, { choices }, { [a]: 2 })).toEqual(["choices_restored results_affecting 5"]);
    expect(edited(retired, {})).toEqual([]);
    expect(edited(retired, { choices: [second, third] }, { [a]: 2 })).toEqual(["choices_removed safe 0"]);
  });

  test("Other switched on is a choice more", () => {
    const plain = sampleQuestion("multiple_choice");
    const typeSettings = { ...plain.typeSettings, other: { enabled: true, label: "Other", choiceId: "new" } };
    expect(edited(plain, { typeSettings })).toEqual(["setting_changed results_affecting 5"]);
  });
});

describe("matrices", () => {
  const matrix = sampleQuestion("dropdown_matrix", {
    rows: ["R", "S"],
    columns: [{ text: "C", options: ["O", "P"] }, "D"],
  });
  const [row = "", other = ""] = idsOf(matrix.rows);
  const [c, d] = matrix.columns! as [
    NonNullable<Question["columns"]>[number],
    NonNullable<Question["columns"]>[number],
  ];
  const [o = "", p = ""] = idsOf(c.options);
  const rowOf = (id: string, text: string, retired = false) => ({ id, text, retired });

  test.each([
    ["a row is taken away", { rows: [rowOf(other, "S")] }, ["rows_removed breaking 3"]],
    ["a row is retired", { rows: [rowOf(row, "R", true), rowOf(other, "S")] }, ["rows_removed breaking 3"]],
    ["a row nobody answered is taken away", { rows: [rowOf(row, "R")] }, ["rows_removed safe 0"]],
    ["a column is taken away", { columns: [d] }, ["columns_removed breaking 4"]],
    [
      "an option is taken away",
      { columns: [{ ...c, options: c.options!.slice(1) }, d] },
      ["options_removed results_affecting 2"],
    ],
    [
      "options change places",
      { columns: [{ ...c, options: c.options!.toReversed() }, d] },
      ["options_reordered results_affecting 5"],
    ],
    ["columns change places", { columns: [d, c] }, ["columns_reordered results_affecting 5"]],
    [
      "a column is new, its options with it",
      { columns: [c, d, { ...d, id: "new", options: [rowOf("o", "N")] }] },
      ["columns_added results_affecting 5"],
    ],
    [
      "an option is new",
      { columns: [c, { ...d, options: [...d.options!, rowOf("o", "N")] }] },
      ["options_added results_affecting 5"],
    ],
    ["a row is reworded", { rows: [rowOf(row, "R!"), rowOf(other, "S")] }, ["rows_reworded results_affecting 3"]],
  ])("%s", (_name, changes, lines) => {
    expect(edited(matrix, changes, { [row]: 3, [c.id]: 4, [o]: 2, [p]: 0 })).toEqual(lines);
  });
});

describe("fields of a form", () => {
  const form = ask("f", "form", { rows: ["Name", { text: "Age", format: "number" }] });
  const [name, age] = form.rows!;
  const { format: _, ...untyped } = age!;

  test.each([
    [
      "a text takes an address",
      [{ ...name!, format: "email" as const }, age!],
      ["rows_rules_changed results_affecting 3"],
    ],
    ["a field is required", [{ ...name!, required: true as const }, age!], ["rows_rules_changed results_affecting 5"]],
    ["a number becomes text", [name!, untyped], ["rows_rules_changed breaking 2"]],
  ])("%s", (_what, rows, lines) => {
    expect(edited(form, { rows }, { [name!.id]: 3, [age!.id]: 2 })).toEqual(lines);
  });
});

describe("questions", () => {
  const [a, b, c] = [ask("a"), ask("b"), ask("c")] as const;
  const answered: Answered = new Map([
    ["q-a", counts(3)],
    ["q-c", counts(4)],
  ]);

  test("that are new are safe unless they must be answered", () => {
    expect(linesOf(on(a), on(a, b), answered)).toEqual(["question_added safe 0"]);
    expect(linesOf(on(a), on(a, ask("d", "rating", { required: true })), answered)).toEqual([
      "question_added results_affecting 4",
    ]);
    expect(linesOf(on(a), on(a, ask("d", "rating", { required: true })))).toEqual([
      "question_added results_affecting 0",
    ]);
  });

  test("that come back are compared with how they were asked before", () => {
    const former = new Map([[a.questionId, a]]);
    const lines = (now: Question, counted: Answered) =>
      compareDefinitions(on(b), on(now, b), counted, hash, former).map(
        (change) => `${change.kind} ${change.class} ${change.affectedResponses} ${change.elementId}`,
      );
    const other = { ...a, type: b.type === 7 ? 1 : 7, typeSettings: {} };
    expect(lines(a, answered)).toEqual([`question_added safe 0 ${a.elementId}`]);
    expect(lines(other, answered)).toEqual([
      `question_added safe 0 ${a.elementId}`,
      `type_changed breaking 3 ${a.elementId}`,
    ]);
    expect(lines(other, new Map())[1]).toBe(`type_changed safe 0 ${a.elementId}`);
  });

  test("that leave retire when they were answered", () => {
    expect(linesOf(on(a, b), on(b), answered)).toEqual(["question_removed results_affecting 3"]);
    expect(linesOf(on(a, b), on(a), answered)).toEqual(["question_removed safe 0"]);
  });

  test("moved ones are listed, preferably unanswered ones", () => {
    const moved = (base: SurveyDefinition, draft: SurveyDefinition) =>
      compareDefinitions(base, draft, answered, hash).map(({ kind, elementId, class: worst }) =>
        [kind, elementId, worst].join(" "),
      );
    expect(moved(on(a, b), on(b, a))).toEqual(["question_moved b safe"]);
    expect(moved(on(a, b, c), on(c, b, a))).toEqual(["question_moved b safe", "question_moved a results_affecting"]);
    const [apart, together] = [
      { pages: [page("p1", [a]), page("p2", [b, c])] },
      { pages: [page("p1", [a, c]), page("p2", [b])] },
    ];
    expect(moved(apart, together)).toEqual(["question_moved c results_affecting"]);
    // A question that moves past unanswered questions only keeps its order among the answered ones.
    const [d, e] = [ask("d"), ask("e")];
    expect(moved(on(a, d, e), on(d, e, a))).toEqual(["question_moved a safe"]);
    expect(moved(on(a, d, c), on(c, d, a))).toEqual(["question_moved d safe", "question_moved a results_affecting"]);
    expect(moved(on(a, b, c), on(ask("new"), a, c))).toEqual(["question_added new safe", "question_removed b safe"]);
  });
});

describe("pages", () => {
  const source = ask("a", "multiple_choice", { multipleAnswers: true });
  const answered: Answered = new Map([
    ["q-a", counts(9)],
    ["q-b", counts(4)],
  ]);
  const pages = (...rest: Parameters<typeof page>[2][]) => ({
    pages: [page("p1", [source], rest[0]), page("p2", [ask("b")], rest[1]), page("p3", [ask("c")], rest[2])],
  });

  test("changing titles is safe; changing loops and skip logic affects respondents who answered a later question", () => {
    const base = pages();
    expect(linesOf(base, pages({ title: "T" }), answered)).toEqual(["page_title_changed safe 0"]);
    expect(linesOf(base, pages({}, { loop: { elementId: "a" } }), answered)).toEqual([
      "loop_changed results_affecting 4",
    ]);
    const skipLogic = [rule("a", "answered", undefined, "p3")];
    expect(linesOf(base, pages({ skipLogic }), answered)).toEqual(["skip_logic_changed results_affecting 9"]);
    expect(linesOf(base, pages({}, {}, { skipLogic: [rule("a", "answered", undefined, "end")] }), answered)).toEqual([
      "skip_logic_changed results_affecting 0",
    ]);
  });

  test("come with their questions, and go with their logic", () => {
    const base = pages();
    const more = { pages: [...base.pages, page("p4", [ask("d")])] };
    expect(linesOf(base, more, answered)).toEqual(["question_added safe 0", "page_added safe 0"]);
    const looped = pages({}, { loop: { elementId: "a" } });
    expect(linesOf(looped, { pages: looped.pages.toSpliced(1, 1) }, answered)).toEqual([
      "question_removed results_affecting 4",
      "page_removed safe 0",
      "loop_changed results_affecting 4",
    ]);
  });
});

describe("messages", () => {
  const colors = ask("a", "image_choice", {
    text: "Which color?",
    multipleAnswers: true,
    choices: ["Red", "Green", "Blue", "Black"].map((text) => ({ text, imageUrl: "https://example.com/a.png" })),
  });
  const grid = ask("m", "matrix", { text: "How is it?", rows: ["Food", "Room"], columns: ["Good", "Bad"] });
  const untitled = { ...ask("t", "short_text"), text: null };
  const base = { pages: [page("p1", [colors, grid], { title: "Start" }), page("p2", [untitled])] };
  const choices = colors.choices!;
  const entries = (...texts: string[]) =>
    texts.map((text, at) => ({ id: String(at).padStart(16, "9"), text, imageUrl: null, retired: false }));
  const first = (changes: object) => ({ pages: [{ ...base.pages[0]!, ...changes }, base.pages[1]!] });
  const second = (changes: object) => ({ pages: [base.pages[0]!, { ...base.pages[1]!, ...changes }] });
  const color = (changes: Partial<Question>) => first({ elements: [{ ...colors, ...changes }, grid] });
  const setting = (changes: object) => color({ typeSettings: { ...colors.typeSettings, ...changes } });
  const long = "The quick brown fox jumps over the lazy dog and\nruns into the wood, far away";
  const shortened = "The quick brown fox jumps over the lazy dog and runs into t…";

  test.each<[SurveyDefinition, string[]]>([
    [color({ text: long }), [`Rewords the question “Which color?” to “${shortened}”.`]],
    [color({ text: null }), ["Removes the text of the question “Which color?”."]],
    [color({ helpText: "h" }), ["Changes the help text of the question “Which color?”."]],
    [color({ responseValidation: { required: true } }), ["Makes an answer to the question “Which color?” required."]],
    [
      setting({ maxSelections: 2 }),
      ["Changes the setting maxSelections of the question “Which color?” from none to 2."],
    ],
    [setting({ shuffle: true }), ["Changes the setting shuffle of the question “Which color?” from off to on."]],
    [
      color({ choices: [...choices, ...entries("White")] }),
      ["Adds the choice “White” to the question “Which color?”."],
    ],
    [
      color({ choices: [...choices, ...entries("A", "B", "C")] }),
      ["Adds the choices “A”, “B” and “C” to the question “Which color?”."],
    ],
    [
      color({ choices: [...choices, ...entries("A", "B", "C", "D", "E")] }),
      ["Adds the choices “A”, “B”, “C” and 2 more to the question “Which color?”."],
    ],
    [color({ choices: choices.slice(2) }), ["Removes the choices “Red” and “Green” of the question “Which color?”."]],
    [
      color({ choices: choices.with(0, { ...choices[0]!, text: "Rose" }) }),
      ["Rewords the choice “Red” of the question “Which color?” to “Rose”."],
    ],
    [
      color({ choices: choices.with(0, { ...choices[0]!, imageUrl: null }) }),
      ["Changes the picture of the choice “Red” of the question “Which color?”."],
    ],
    [color({ choices: choices.toReversed() }), ["Reorders the choices of the question “Which color?”."]],
    [
      first({ elements: [colors, { ...grid, rows: grid.rows!.slice(1) }] }),
      ["Removes the row “Food” of the question “How is it?”; where they were answered, add a new question instead."],
    ],
    [first({ elements: [grid, colors] }), ["Moves the question “Which color?” to another position."]],
    [first({ elements: [grid] }), ["Removes the question “Which color?”."]],
    [second({ elements: [] }), ["Removes a question without text."]],
    [
      second({ elements: [untitled, ask("n", "rating", { required: true })] }),
      ["Adds the question “What?”, which must be answered."],
    ],
    [second({ title: "Next" }), ["Gives a page its title: the page “Next”."]],
    [first({ title: null }), ["Changes the title of the page “Start”; now it is page 1."]],
    [second({ loop: { elementId: "a" } }), ["Repeats page 2 for each chosen item."]],
    [
      first({ skipLogic: [rule("a", "answered", undefined, "end")] }),
      ["Changes who skips what after the page “Start”: rules 0, now 1."],
    ],
    [{ pages: [...base.pages, page("p3", [])] }, ["Adds page 3."]],
    [{ pages: [base.pages[0]!] }, ["Removes a question without text.", "Removes page 2."]],
  ])("name what they are about: %#", (draft, messages) => {
    expect(compareDefinitions(base, draft, new Map(), hash).map(({ message }) => message)).toEqual(messages);
  });

  test("stay short, however long the texts are", () => {
    const many = entries(...Array.from({ length: 50 }, () => "y".repeat(500)));
    const text = "x".repeat(5_000);
    const draft = first({ title: text, elements: [{ ...colors, text, choices: [...choices, ...many] }, grid] });
    for (const { message } of compareDefinitions(base, draft, new Map(), hash))
      expect(message.length).toBeLessThan(400);
  });
});

describe("ids of changes", () => {
  const base = on(ask("a"), ask("b"));
  const idsIn = (draft: SurveyDefinition, answered: Answered = new Map()) =>
    compareDefinitions(base, draft, answered, hash).map(({ changeId }) => changeId);
  const reword = (text: string) => on({ ...ask("a"), text }, ask("b"));

  test("are the same for the same change, for any answers and other changes", () => {
    expect(idsIn(reword("New"))).toEqual(idsIn(reword("New"), new Map([["q-a", counts(1)]])));
    const both = on({ ...ask("a"), text: "New" }, { ...ask("b"), helpText: "h" });
    expect(idsIn(both)[0]).toBe(idsIn(reword("New"))[0]);
  });

  test("are different for every other change", () => {
    const all = on(
      { ...ask("a"), text: "New", helpText: "h", responseValidation: { required: true } },
      {
        ...ask("b"),
        text: "New",
        helpText: "h",
        typeSettings: { ...ask("b").typeSettings, minLength: 1, maxLength: 9 },
      },
    );
    const ids = [...idsIn(all), ...idsIn(reword("Newer"))];
    expect(ids).toHaveLength(8);
    expect(new Set(ids).size).toBe(8);
  });
});
