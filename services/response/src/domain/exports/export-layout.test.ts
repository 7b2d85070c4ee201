import { answerKey, questionTypes, type Question, type SurveyDefinition } from "@canvass/questions";
import { expect, test } from "vitest";
import type { CollectedRow } from "./collected-row.ts";
import { createExportLayout, mostColumns, type CellForm } from "./export-layout.ts";
import { mergeFields } from "./field-columns.ts";
import { createQuestionMerger } from "./merged-questions.ts";
import type { ExportOptions } from "./export-options.ts";
import { createShownOrders } from "./shown-orders.ts";

const id = (name: string) => name.padEnd(16, "0");
const choice = (name: string) => ({ id: id(name), text: name, retired: false });
const fixedColumns = 9;

function question(name: string, type: number, more: Partial<Question> = {}): Question {
  return {
    elementId: id(`e${name}`),
    questionId: id(`q${name}`),
    type,
    text: name,
    helpText: null,
    typeSettings: {},
    responseValidation: { required: false },
    ...more,
  };
}

const page = (elements: Question[], loop: string | null = null) => ({
  pageId: id("page"),
  title: null,
  loop: loop === null ? null : { elementId: id(loop) },
  skipLogic: [],
  elements,
});

const options: ExportOptions = {
  format: "csv",
  labels: "labels",
  bom: false,
  includePartial: false,
  includeTest: false,
  from: null,
  to: null,
  elementIds: null,
  distributorIds: null,
  timeZone: "UTC",
};
const written: CellForm = { values: "written", times: "text", lists: "joined" };
const codes: CellForm = { values: "codes", times: "clock", lists: "joined" };

function row(...answers: Record<string, unknown>[]): CollectedRow {
  return [id("r"), false, false, 0, 0, 1, "", "", "", {}, answers];
}

function lay(definitions: SurveyDefinition[], given: Partial<ExportOptions> = {}, form = written) {
  const merger = createQuestionMerger();
  for (const definition of definitions) merger.add(definition);
  const { columns, cellsOf } = createExportLayout(merger.questions(), { ...options, ...given }, form);
  return {
    headings: columns.slice(fixedColumns).map(({ heading }) => heading),
    ids: columns.slice(fixedColumns).map((column) => column.id),
    cells: (...answers: Record<string, unknown>[]) => cellsOf(row(...answers)).slice(fixedColumns),
  };
}

test("all versions make one column for each question, in the order and words of the newest version, then removed questions", () => {
  const colours = (...names: string[]) => question("colour", 5, { choices: names.map(choice) });
  const first = { pages: [page([question("old", 1), { ...colours("red", "blue"), text: "Color" }])] };
  const second = { pages: [page([colours("blue", "green"), question("new", 3)])] };
  const { headings, cells } = lay([first, second]);
  expect(headings).toEqual(["colour", "new", "old"]);
  // A choice that only an older version has keeps its label.
  expect(cells({ [id("eold")]: "text", [id("ecolour")]: id("red") })).toEqual(["red", null, "text"]);
  expect(cells({ [id("ecolour")]: id("green") }, { [id("enew")]: 7 })).toEqual(["green", 7, null]);
  expect(lay([first, second], {}, codes).cells({ [id("ecolour")]: id("red") })).toEqual([1, null, null]);
});

test("codes follow the first version that has a choice, for any order in later versions", () => {
  const colours = (...names: string[]) => question("colour", 5, { choices: names.map(choice) });
  const versions = [
    ["red", "blue"],
    ["blue", "green", "red"],
    ["white", "green"],
  ].map((names) => ({
    pages: [page([colours(...names)])],
  }));
  const codesAfter = (count: number) => {
    const { cells } = lay(versions.slice(0, count), {}, codes);
    return ["red", "blue", "green", "white"].map((name) => cells({ [id("ecolour")]: id(name) })[0]);
  };
  expect(codesAfter(1)).toEqual([1, 2, null, null]);
  expect(codesAfter(2)).toEqual([1, 2, 3, null]);
  expect(codesAfter(3)).toEqual([1, 2, 3, 4]);
});

test("an export uses the entries' own codes if all are different integers", () => {
  const entries = (...given: (string | undefined)[]) =>
    given.map((code, index) => ({ ...choice(`c${index}`), ...(code !== undefined && { code }) }));
  const codesOf = (type: number, lists: Partial<Question>) => {
    const merger = createQuestionMerger();
    merger.add({ pages: [page([question("q", type, lists)])] });
    const { columns } = createExportLayout(merger.questions(), options, codes);
    return columns[fixedColumns]!.values.map(({ id: choiceId, code }) => [choiceId, code]);
  };
  const dropdown = (...given: (string | undefined)[]) =>
    codesOf(5, { choices: entries(...given) }).map(([, code]) => code);
  expect(dropdown("3", "-99", "0")).toEqual([-99, 0, 3]);
  for (const given of [
    ["5", undefined],
    ["5", "x"],
    ["5", "05"],
    ["5", "1.5"],
  ])
    expect(dropdown(...given)).toEqual([1, 2]);
  expect(codesOf(12, { rows: [choice("r")], columns: entries("7", "9") })).toEqual([
    [id("c0"), 7],
    [id("c1"), 9],
  ]);
  const other = { enabled: true, label: "Other", choiceId: id("other") };
  const choices = entries("1", "2");
  expect(codesOf(4, { choices, typeSettings: { other } }).map(([, code]) => code)).toEqual([1, 2, 3]);
  expect(codesOf(4, { choices, typeSettings: { other: { ...other, code: "96" } } })).toContainEqual([id("other"), 96]);
  // "(None)" has the first number that is free, from 0 downwards.
  const columns = [{ ...choice("c"), options: entries("0", "1") }];
  expect(codesOf(13, { rows: [choice("r")], columns })).toEqual([
    ["", -1],
    [id("c0"), 0],
    [id("c1"), 1],
  ]);
});

test("headings are texts, names or both, and members of objects, too", () => {
  const uses = question("uses", 4, {
    name: "media",
    typeSettings: { multipleAnswers: true },
    choices: [{ ...choice("tv"), code: "1" }, choice("web")],
  });
  const definition = { pages: [page([uses, question("age", 3)])] };
  const headed = (given: Partial<ExportOptions>) => {
    const merger = createQuestionMerger();
    merger.add(definition);
    const { columns, fields } = createExportLayout(merger.questions(), { ...options, ...given }, written);
    const headingsOf = (list: readonly { heading: string }[]) => list.map(({ heading }) => heading);
    return [headingsOf(columns)[1], headingsOf(columns).slice(fixedColumns), headingsOf(fields).slice(fixedColumns)];
  };
  expect(headed({})).toEqual(["Status", ["uses: tv", "uses: web", "age"], ["uses", "age"]]);
  expect(headed({ headings: "texts" })).toEqual(headed({}));
  const names = ["media_1", `media_${id("web")}`, `q_${id("qage")}`];
  expect(headed({ headings: "names" })).toEqual(["status", names, ["media", names[2]]]);
  expect(headed({ headings: "both", labels: "ids" })).toEqual([
    "Status [status]",
    [`uses: tv [media_1]`, `uses: web [${names[1]}]`, `age [${names[2]}]`],
    ["uses [media]", `age [${names[2]}]`],
  ]);
});

test("the names of columns of blocks differ from each other and from all others, whatever their case", () => {
  const pageOf = (name: string, block?: string) => ({
    ...page([question(name, 3, { name: `${name}_pageOrder` })]),
    pageId: id(name),
    ...(block && { block }),
  });
  const definition = {
    pages: [pageOf("a", "Topics"), pageOf("b", "topics"), pageOf("c", "C"), pageOf("d", "field")],
    fields: [{ name: "pageOrder", type: "text" as const }],
  };
  const [merger, orders] = [createQuestionMerger(), createShownOrders()];
  merger.add(definition);
  orders.add(1, definition);
  const shown = { hidden: mergeFields([], definition), orders };
  const { columns } = createExportLayout(merger.questions(), options, codes, shown);
  const names = columns.map(({ name }) => name);
  expect(names).toContain("Topics_pageOrder");
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  expect(columns.slice(-4).map((column) => column.id)).toEqual(
    ["Topics", "topics", "C", "field"].map((block) => `${block}.pageOrder`),
  );
});

test("a removed question loses its name to a newer question", () => {
  const merger = createQuestionMerger();
  merger.add({ pages: [page([question("old", 3, { name: "age" }), question("kept", 3, { name: "first" })])] });
  merger.add({ pages: [page([question("kept", 3, { name: "AGE" })])] });
  const { columns } = createExportLayout(merger.questions(), options, written);
  expect(columns.slice(fixedColumns).map(({ name }) => name)).toEqual(["AGE", "q_age"]);
});

test("a question on a page that repeats has its columns for each item", () => {
  const source = question("pets", 4, {
    typeSettings: { multipleAnswers: true },
    choices: [choice("cat"), choice("dog")],
  });
  const { headings, ids, cells } = lay([{ pages: [page([source]), page([question("age", 3)], "epets")] }]);
  expect(headings).toEqual(["pets: cat", "pets: dog", "age (cat)", "age (dog)"]);
  expect(ids.slice(2)).toEqual([`${id("qage")}:${id("cat")}`, `${id("qage")}:${id("dog")}`]);
  const answers = { [id("epets")]: [id("dog")], [answerKey(id("eage"), id("dog"))]: 4 };
  expect(cells(answers)).toEqual([0, 1, null, 4]);
});

test("dates are written in the form of the format, in the time zone of the export", () => {
  const asked = (name: string, mode: string) => question(name, 11, { typeSettings: { mode } });
  const definition = {
    pages: [
      page([asked("day", "date"), asked("hour", "time"), asked("moment", "datetime"), asked("local", "datetime")]),
    ],
  };
  const texts = ["1990-02-28", "17:30", "2026-07-01T12:00:00+05:00", "2026-07-01T12:00"];
  const answers = Object.fromEntries(
    ["eday", "ehour", "emoment", "elocal"].map((name, index) => [id(name), texts[index]]),
  );
  const cells = (form: CellForm) => lay([definition], { timeZone: "Europe/Berlin" }, form).cells(answers);
  expect(cells(written)).toEqual(texts);
  const [day, hour] = [Date.UTC(1990, 1, 28), 17.5 * 3_600_000];
  expect(cells(codes)).toEqual([day, hour, Date.UTC(2026, 6, 1, 9), Date.UTC(2026, 6, 1, 12)]);
  expect(cells({ ...written, times: "moment" })).toEqual([
    day,
    hour,
    Date.UTC(2026, 6, 1, 7),
    Date.UTC(2026, 6, 1, 12),
  ]);
});

test("the parts of a question are one member of objects, once for each item", () => {
  const source = question("pets", 4, {
    typeSettings: { multipleAnswers: true, other: { enabled: true, label: "Other", choiceId: id("other") } },
    choices: [choice("cat")],
  });
  const matrix = question("care", 12, {
    typeSettings: { multiple: true },
    rows: [choice("day")],
    columns: [choice("a")],
  });
  const merger = createQuestionMerger();
  merger.add({ pages: [page([source]), page([matrix], "epets")] });
  const { fields, cellsOf } = createExportLayout(merger.questions(), options, { ...written, lists: "json" });
  const other = { choiceId: id("other"), otherText: "newt" };
  const answers = {
    [id("epets")]: [id("cat"), other],
    [answerKey(id("ecare"), id("cat"))]: { [id("day")]: [id("a")] },
  };
  const cells = cellsOf(row(answers));
  const members = fields.slice(fixedColumns).map(({ heading, write }) => [heading, JSON.parse(write(cells) ?? "null")]);
  expect(Object.fromEntries(members)).toEqual({
    pets: ["cat", "Other"],
    "pets: Other (text)": "newt",
    "care (cat)": { day: ["a"] },
    "care (Other)": null,
  });
});

test("headings differ, and are written as the labels ask", () => {
  const definition = {
    pages: [page([question("a", 1, { text: "Why?" }), question("b", 1, { text: "Why?" }), question("c", 1)])],
  };
  expect(lay([definition]).headings).toEqual([`Why? [${id("qa")}]`, `Why? [${id("qb")}]`, "c"]);
  expect(lay([definition], { labels: "ids" }).headings).toEqual([id("qa"), id("qb"), id("qc")]);
  expect(lay([definition], { labels: "both" }).headings.at(-1)).toBe(`c [${id("qc")}]`);
  expect(lay([definition], { elementIds: [id("eb")] }).headings).toEqual(["Why?"]);
});

test("choices with equal labels are distinguished in cells", () => {
  const twins = ["one", "two"].map((name) => ({ ...choice(name), text: "Yes" }));
  const definition = { pages: [page([question("same", 5, { choices: [...twins, choice("no")] })])] };
  const { cells } = lay([definition]);
  expect(cells({ [id("esame")]: id("one") })).toEqual([`Yes [${id("one")}]`]);
  expect(cells({ [id("esame")]: id("no") })).toEqual(["no"]);
});

test("every question type has its columns, and an answer that fits none leaves its cells empty", () => {
  const lists = {
    choices: [choice("one"), choice("two")],
    rows: [choice("top")],
    columns: [{ ...choice("left"), options: [choice("deep")] }],
  };
  const elements = questionTypes.map(({ typeName, number, lists: own }) => {
    const given = Object.entries(lists).filter(([name]) => name in own);
    return question(typeName.replaceAll("_", "").slice(0, 12), number, Object.fromEntries(given));
  });
  const { headings, cells } = lay([{ pages: [page(elements)] }]);
  expect(new Set(headings).size).toBe(headings.length);
  expect(headings.length).toBeGreaterThanOrEqual(questionTypes.length);
  const answers = Object.fromEntries(elements.map(({ elementId }) => [elementId, { unexpected: true }]));
  expect(cells(answers)).toHaveLength(headings.length);
});

test("an export of too many columns is refused; with fewer elements it passes", () => {
  const matrix = (name: string) =>
    question(name, 13, {
      rows: Array.from({ length: 50 }, (_, index) => choice(`r${index}`)),
      columns: Array.from({ length: 10 }, (_, index) => ({ ...choice(`c${index}`), options: [choice("o")] })),
    });
  const elements = Array.from({ length: Math.ceil(mostColumns / 500) }, (_, index) => matrix(`m${index}x`));
  expect(() => lay([{ pages: [page(elements)] }])).toThrow(expect.objectContaining({ code: "validation_failed" }));
  expect(lay([{ pages: [page(elements)] }], { elementIds: [id("em0x")] }).headings).toHaveLength(500);
});
