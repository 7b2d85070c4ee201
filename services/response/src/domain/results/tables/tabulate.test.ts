import { AppError } from "@canvass/errors";
import { buildQuestions, variablesOf, type Question, type SurveyDefinition } from "@canvass/questions";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AxisInput, ValueSource } from "./axis-input.ts";
import { tabulate, type CrosstabInput } from "./tabulate.ts";
import type { TabledRespondents } from "./value-of.ts";

let lastId = 0;
const newId = () => String((lastId += 1)).padStart(16, "0");

function questionsOf(...given: object[]): Question[] {
  const built = buildQuestions(given, newId);
  if ("violations" in built) throw new Error(JSON.stringify(built.violations));
  return built.questions.map(({ question }) => question);
}

const [gender, colours, age, day] = questionsOf(
  { type: "multiple_choice", text: "Gender", choices: ["a", "b"] },
  { type: "multiple_choice", text: "Colours", choices: ["red", "green", "blue"], multipleAnswers: true },
  { type: "number", text: "Age" },
  { type: "date_time", text: "Day" },
) as [Question, Question, Question, Question];
const definition = {
  pages: [{ pageId: newId(), elements: [gender, colours, age, day], loop: null, skipLogic: [] }],
} as unknown as SurveyDefinition;
const [a, b] = gender.choices!.map(({ id }) => id) as [string, string];
const [red, green, blue] = colours.choices!.map(({ id }) => id) as [string, string, string];

const axisOf = (question: Question, more: Partial<AxisInput> = {}): AxisInput => ({
  source: { elementId: question.elementId, itemId: null, place: [] },
  categories: variablesOf(question)[0]!.categories,
  path: "rows",
  ...more,
});
const knownAxis = (source: ValueSource): AxisInput => ({ source, categories: [], path: "columns" });

type Given = {
  gender?: string;
  colours?: string[];
  age?: number;
  day?: string;
  field?: string | number;
  anonymous?: boolean;
};

function respondent({
  gender: one,
  colours: some,
  age: years,
  day: date,
  field,
  anonymous = false,
}: Given): TabledRespondents {
  const given: [Question, unknown][] = [
    [gender, one],
    [colours, some],
    [age, years],
    [day, date],
  ];
  const answers = given.filter(([, value]) => value !== undefined);
  return {
    count: 1,
    definition,
    answers: Object.fromEntries(answers.map(([{ elementId }, value]) => [elementId, value])),
    fields: field === undefined ? {} : { plan: field },
    language: "en",
    distributorId: "",
    versionNumber: 1,
    isAnonymous: anonymous,
    startedAt: new Date(0),
  };
}

async function* pages(given: readonly Given[]) {
  yield given.slice(0, 3).map(respondent);
  yield given.slice(3).map(respondent);
}

const count = (given: readonly Given[], input: Partial<CrosstabInput>) =>
  tabulate(pages(given), { rows: axisOf(gender), columns: null, isMultiple: false, weights: [], ...input });

test("counts and percentages by row, by column and of the total; missing apart", async () => {
  const both = (one: string, some: string[], times: number) =>
    Array.from({ length: times }, () => ({ gender: one, colours: some }));
  const given = [
    ...both(a, [red], 3),
    ...both(a, [green], 1),
    ...both(b, [green], 6),
    { gender: a },
    { colours: [red] },
    {},
    {},
  ];
  const found = await count(given, { columns: axisOf(colours, { path: "columns" }) });
  expect(found).toMatchObject({ matched: 14, counted: 10, missing: { rows: 1, columns: 1, both: 2 } });
  expect(found.columns.map(({ label, total }) => [label, total.respondents, total.ofTotal])).toEqual([
    ["red", 3, 30],
    ["green", 7, 70],
    ["blue", 0, 0],
  ]);
  expect(found.rows[0]).toMatchObject({ label: "a", total: { respondents: 4, ofTotal: 40 } });
  expect(found.rows[0]!.cells).toEqual([
    { respondents: 3, ofRow: 75, ofColumn: 100, ofTotal: 30 },
    { respondents: 1, ofRow: 25, ofColumn: 14.29, ofTotal: 10 },
    { respondents: 0, ofRow: 0, ofColumn: null, ofTotal: 0 },
  ]);
  // By hand: (3 × 6 − 1 × 0)² × 10 / (4 × 6 × 3 × 7).
  expect(found.chiSquare).toMatchObject({ degreesOfFreedom: 1 });
  expect(found.chiSquare!.value).toBeCloseTo((18 ** 2 * 10) / (4 * 6 * 3 * 7), 9);
});

test("several answers: of respondents they exceed 100 per cent, of answers they do not", async () => {
  const given = [
    { gender: a, colours: [red, green] },
    { gender: a, colours: [red] },
    { gender: b, colours: [red, green, blue] },
    { gender: b, colours: [] },
  ];
  const alone = await count(given, { rows: axisOf(colours), isMultiple: true });
  expect(alone).toMatchObject({ counted: 4, answers: 6, chiSquare: null, chiSquareAbsent: "one_variable" });
  expect(alone.rows.map(({ total }) => [total.respondents, total.ofTotal, total.byAnswers])).toEqual([
    [3, 75, { answers: 3, ofTotal: 50 }],
    [2, 50, { answers: 2, ofTotal: 33.33 }],
    [1, 25, { answers: 1, ofTotal: 16.67 }],
  ]);
  const crossed = await count(given, { rows: axisOf(colours), columns: axisOf(gender), isMultiple: true });
  expect(crossed.chiSquareAbsent).toBe("several_answers");
  expect(crossed.columns.map(({ total }) => [total.respondents, total.byAnswers!.answers])).toEqual([
    [2, 3],
    [2, 3],
  ]);
  expect(crossed.rows[0]!.cells[0]).toEqual({
    respondents: 2,
    ofRow: 66.67,
    ofColumn: 100,
    ofTotal: 50,
    byAnswers: {
      ofRow: 66.67,
      ofColumn: 66.67,
      ofTotal: 33.33,
    },
  });
});

test("numbers are counted by value or by groups, dates by unit, fields by the values found", async () => {
  const given = [
    { age: 30, day: "2026-02-03", field: "pro" },
    { age: 17, day: "2025-12-31", field: "free" },
    { age: 18, day: "2026-02-28", field: "pro" },
    { age: 5, field: 7 },
  ];
  const labels = async (rows: AxisInput) =>
    (await count(given, { rows })).rows.map(({ label, total }) => `${label}: ${total.respondents}`);
  expect(await labels(axisOf(age))).toEqual(["5: 1", "17: 1", "18: 1", "30: 1"]);
  expect(await labels(axisOf(age, { edges: [10, 18] }))).toEqual([
    "under 10: 1",
    "10 to under 18: 1",
    "18 and over: 2",
  ]);
  expect(await labels(axisOf(day, { unit: "month" }))).toEqual(["2025-12: 1", "2026-02: 2"]);
  expect(await labels(axisOf(day, { unit: "year" }))).toEqual(["2025: 1", "2026: 2"]);
  expect(await labels(knownAxis({ field: "plan" }))).toEqual(["7: 1", "free: 1", "pro: 2"]);
  expect(await labels(knownAxis({ known: "versionNumber" }))).toEqual(["1: 4"]);
  expect(await labels(knownAxis({ known: "distributorId" }))).toEqual([]);
});

test("answers to versions that asked otherwise count as those versions ask", async () => {
  const [one, time, number] = questionsOf(
    { type: "multiple_choice", text: "Colours", choices: ["red", "green", "blue"] },
    { type: "date_time", text: "Day", typeSettings: { mode: "time" } },
    { type: "number", text: "Day" },
  ) as [Question, Question, Question];
  const asking = (colour: Question, when: Question) => {
    const elements = [
      { ...colour, elementId: colours.elementId, choices: colours.choices! },
      { ...when, elementId: day.elementId },
    ];
    return { ...definition, pages: [{ ...definition.pages[0]!, elements }] };
  };
  async function* versions() {
    yield [
      { ...respondent({ colours: [red, green], day: "2026-01-31" }), count: 2 },
      { ...respondent({ day: "17:30" }), definition: asking(one, time) },
      {
        ...respondent({}),
        answers: { [colours.elementId]: blue, [day.elementId]: 20_260_131 },
        definition: asking(one, number),
      },
    ];
  }
  const table = (rows: AxisInput, columns: AxisInput | null = null, weights: CrosstabInput["weights"] = []) =>
    tabulate(versions(), { rows, columns, isMultiple: false, weights });
  const labels = async (rows: AxisInput) =>
    (await table(rows)).rows.map(({ label, total }) => `${label}: ${total.respondents}`);
  expect(await labels(axisOf(day))).toEqual(["17: 1", "2026-01: 2", "20260131: 1"]);
  expect(await labels(axisOf(day, { unit: "hour" }))).toEqual(["17: 1", "2026-01: 2", "20260131: 1"]);
  expect(await labels(axisOf(day, { unit: "year" }))).toEqual(["17: 1", "2026: 2", "20260131: 1"]);
  const crossed = await table(axisOf(day), axisOf(colours, { path: "columns" }));
  expect(crossed).toMatchObject({ answers: 5, chiSquare: null, chiSquareAbsent: "several_answers" });
  expect(crossed.isMultiple).toEqual({ rows: false, columns: true });
  const targets = [{ axis: axisOf(colours, { isClosed: true }), targets: [1, 1, 1] }];
  expect((await table(axisOf(day), null, targets)).weighting!.variables).toEqual([
    { withoutTarget: 3, unreached: ["red", "green"] },
  ]);
});

test("too many values and too large tables are refused at their place", async () => {
  const many = Array.from({ length: 251 }, (_, age) => ({ age, field: `f${age}` }));
  const refused = (input: Partial<CrosstabInput>, given = many) =>
    count(given, input).then(
      () => null,
      (error: AppError) => error.details,
    );
  expect(await refused({ rows: axisOf(age) })).toMatchObject({
    rows: [expect.stringContaining("250 different values")],
  });
  const fewer = many.slice(0, 60);
  expect(await refused({ rows: axisOf(age), columns: knownAxis({ field: "plan" }) }, fewer)).toMatchObject({
    columns: [expect.stringContaining("2500 cells")],
  });
});

test("retired entries count in their own place, however many there are", async () => {
  const [long] = questionsOf({
    type: "dropdown",
    text: "Town",
    choices: Array.from({ length: 520 }, (_, n) => `t${n}`),
  });
  const categories = variablesOf(long!)[0]!.categories.map((each, at) => ({ ...each, isRetired: at >= 250 }));
  const rows = axisOf(gender, { categories, path: "rows" });
  const townOf = (at: number) => ({ gender: categories[at]!.id });
  const given = [townOf(0), townOf(254), townOf(255), townOf(256), townOf(256), {}, townOf(519)];
  const readAs = {
    ...definition,
    pages: [{ ...definition.pages[0]!, elements: [{ ...long!, elementId: gender.elementId }] }],
  };
  async function* townspeople(some: readonly Given[]) {
    yield some.map((each) => ({ ...respondent(each), definition: readAs }));
  }
  const input = { rows, columns: null, isMultiple: false, weights: [] };
  const found = await tabulate(townspeople(given), input);
  const counted = found.rows.filter(({ total }) => total.respondents > 0);
  expect(counted.map(({ label, total }) => `${label}: ${total.respondents}`)).toEqual([
    "t0: 1",
    "t254: 1",
    "t255: 1",
    "t256: 2",
    "t519: 1",
  ]);
  expect(found).toMatchObject({ matched: 7, counted: 6, missing: { rows: 1, columns: 0, both: 0 } });
});

test("weights change shares, and chi-square counts the effective size", async () => {
  const given = [
    ...Array.from({ length: 80 }, () => ({ gender: a, age: 20 })),
    ...Array.from({ length: 10 }, () => ({ gender: b, age: 20 })),
    ...Array.from({ length: 10 }, () => ({ gender: b, age: 40 })),
  ];
  const weights = [{ axis: axisOf(gender, { isClosed: true }), targets: [50, 50] }];
  const found = await count(given, { rows: axisOf(age), weights });
  expect(found.rows.map(({ label, total }) => [label, total.respondents, total.weighted, total.ofTotal])).toEqual([
    ["20", 90, 75, 75],
    ["40", 10, 25, 25],
  ]);
  // Kish: 100² / (80 × 0.625² + 20 × 2.5²).
  expect(found.weighting).toMatchObject({
    effectiveSize: 64,
    converged: true,
    smallestWeight: 0.625,
    largestWeight: 2.5,
  });
  const crossed = await count(given, { rows: axisOf(age), columns: axisOf(gender), weights });
  const plain = await count(given, { rows: axisOf(age), columns: axisOf(gender) });
  expect(crossed.chiSquare!.value).toBeCloseTo(64 / 3, 9);
  expect(plain.chiSquare!.value).toBeCloseTo(100 * (8 / 18), 9);
});

test("full anonymity: no cell of a small group is shown, nor can it be found from the others", async () => {
  const of = (one: string, years: number, times: number) =>
    Array.from({ length: times }, () => ({ gender: one, age: years, anonymous: true }));
  const given = [...of(a, 1, 20), ...of(b, 1, 20), ...of(a, 2, 6), ...of(a, 3, 1), ...of(b, 3, 1), ...of(b, 4, 9)];
  const input = { rows: axisOf(age), columns: axisOf(gender) };
  const found = await count(given, input);
  // The row of 2 respondents would be what is missing of the columns' totals, so the next one is withheld, too.
  expect(found.rows.map(({ label, cells }) => [label, cells.every((cell) => cell === null)])).toEqual([
    ["1", false],
    ["2", true],
    ["3", true],
    ["4", false],
  ]);
  expect(found).toMatchObject({ chiSquare: null, chiSquareAbsent: "withheld" });
  const open = await count(
    given.map((each) => ({ ...each, anonymous: false })),
    input,
  );
  expect(open.rows.flatMap(({ cells }) => cells)).not.toContain(null);
  const weights = [{ axis: axisOf(gender, { isClosed: true }), targets: [1, 1] }];
  await expect(count(given, { ...input, weights })).rejects.toMatchObject({
    details: { weights: [expect.stringContaining("fewer than 5")] },
  });
});

test("full anonymity: what few people have selects them as a filter does, so the margins are refused, too", async () => {
  const of = (given: Given, times: number) => Array.from({ length: times }, () => ({ ...given, anonymous: true }));
  const columns = knownAxis({ field: "plan" });
  const others = of({ gender: b }, 12);
  const refused = { details: { columns: [expect.stringContaining("fewer than 5")] } };
  for (const few of [1, 4]) {
    const given = [...others, ...of({ gender: a, field: "x" }, few)];
    await expect(count(given, { columns })).rejects.toMatchObject(refused);
    await expect(count(given, { rows: columns, columns: axisOf(gender, { path: "columns" }) })).rejects.toMatchObject(
      refused,
    );
    // One variable alone shows what results show, and so do two that everybody has.
    expect(await count(given, { rows: columns })).toMatchObject({ counted: few, missing: { rows: 12 } });
    expect(await count(given.slice(12), { columns })).toMatchObject({ counted: few, rows: [{ cells: [null] }, {}] });
  }
  expect(await count([...others, ...of({ gender: a, field: "x" }, 5)], { columns })).toMatchObject({ counted: 5 });
  expect(await count([...others, { gender: a, field: "x" }], { columns })).toMatchObject({ counted: 1 });
  expect(await count([...others, ...of({ field: "x" }, 2)], { columns })).toMatchObject({ counted: 0 });
});

test("full anonymity: who did not choose, or chose nothing, cannot be found by subtraction from the totals", async () => {
  const of = (some: string[], one: string, times: number) =>
    Array.from({ length: times }, () => ({ colours: some, gender: one, anonymous: true }));
  const input = { rows: axisOf(colours), columns: axisOf(gender), isMultiple: true };
  const shownRows = async (given: readonly Given[]) => {
    const { rows } = await count(given, input);
    return rows.map(({ cells }) => cells.every((cell) => cell !== null));
  };
  const most = [...of([red, green], a, 20), ...of([red, blue], b, 20)];
  expect(await shownRows([...most, ...of([green], b, 1)])).toEqual([false, false, true]);
  expect(await shownRows([...most, ...of([], b, 2), ...of([green], b, 5)])).toEqual([false, true, true]);
  expect(await shownRows([...most, ...of([green], b, 5)])).toEqual([true, true, true]);
  const alone = await count(of([], a, 2), { rows: axisOf(colours), isMultiple: true });
  expect(alone).toMatchObject({ counted: 2, answers: 0 });
});

test("with full anonymity a weight does not reveal the answers of one person", async () => {
  const of = (one: string, years: number, times: number) =>
    Array.from({ length: times }, () => ({ gender: one, age: years, anonymous: true }));
  // A large weight for b would show in which row its one person is.
  const weights = [{ axis: axisOf(gender, { isClosed: true }), targets: [1, 1000] }];
  const weighted = (few: readonly Given[]) =>
    count([...of(a, 1, 9), ...of(a, 2, 9), ...few], { rows: axisOf(age), weights });
  await expect(weighted(of(b, 2, 1))).rejects.toMatchObject({
    details: { weights: [expect.stringContaining("fewer than 5")] },
  });
  // Who has no value of the rows is not counted, so the others of the group may be few.
  const uncounted = Array.from({ length: 4 }, () => ({ gender: b, anonymous: true }));
  await expect(weighted([...of(b, 2, 1), ...uncounted])).rejects.toMatchObject({ code: "validation_failed" });
  expect((await weighted(of(b, 2, 5))).rows).toHaveLength(2);
  // Of several answers, who did not choose, or chose nothing, is found by subtraction.
  const chose = (some: string[], times: number) => of(a, 1, times).map((each) => ({ ...each, colours: some }));
  const ofColours = (given: readonly Given[]) => count(given, { rows: axisOf(colours), isMultiple: true, weights });
  const refused = { details: { weights: [expect.stringContaining("fewer than 5")] } };
  await expect(ofColours([...chose([red, green], 9), ...chose([green], 1)])).rejects.toMatchObject(refused);
  await expect(ofColours([...chose([red], 9), ...chose([green], 9), ...chose([], 1)])).rejects.toMatchObject(refused);
  expect(await ofColours([...chose([red, green], 9), ...chose([green], 5)])).toMatchObject({ counted: 14 });
});

test("margins are the sums of cells, for any input", async () => {
  const given = fc.array(
    fc.record({
      gender: fc.option(fc.constantFrom(a, b), { nil: undefined }),
      age: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
    }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(given, async (respondents) => {
      const found = await count(respondents, { columns: axisOf(age) });
      const { missing, matched, counted } = found;
      expect(missing.rows + missing.columns + missing.both + counted).toBe(matched);
      for (const { cells, total } of found.rows) {
        expect(cells.reduce((sum, cell) => sum + cell!.respondents, 0)).toBe(total.respondents);
      }
      for (const [column, { total }] of found.columns.entries()) {
        expect(found.rows.reduce((sum, { cells }) => sum + cells[column]!.respondents, 0)).toBe(total.respondents);
      }
      expect(found.rows.reduce((sum, { total }) => sum + total.respondents, 0)).toBe(counted);
    }),
  );
});
