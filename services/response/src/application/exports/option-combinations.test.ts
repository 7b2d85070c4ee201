import { answerKey, questionTypeOf, questionTypes, type Page, type Question } from "@canvass/questions";
import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import papaparse from "papaparse";
import readExcelFile from "read-excel-file/node";
import { expect, test } from "vitest";
import { readSav } from "../../../test/read-sav.ts";
import type { CollectedRow } from "../../domain/exports/collected-row.ts";
import { createExportLayout } from "../../domain/exports/export-layout.ts";
import type { ExportFormatName, ExportOptions } from "../../domain/exports/export-options.ts";
import { createWarningCounter } from "../../domain/exports/export-warnings.ts";
import { createQuestionMerger } from "../../domain/exports/merged-questions.ts";
import { createShownOrders } from "../../domain/exports/shown-orders.ts";
import { exportFormats } from "./formats/index.ts";

const id = (name: string) => name.padEnd(16, "0");
/** Entries with equal texts, one of which a spreadsheet would run. */
const entries = (name: string) =>
  ["=Same", "=Same", "Other"].map((text, index) => ({ id: id(`${name}${index}`), text, retired: false }));
const settings: Partial<Record<string, Record<string, unknown>>> = {
  multiple_choice: { multipleAnswers: true, shuffle: true },
  matrix: { multiple: true, shuffleRows: true },
};

/** One question of each type, all with the same text. */
const questions = questionTypes.map(({ number, typeName, lists }, index): Question => {
  const given = { choices: entries("c"), rows: entries("r"), columns: entries("k").map(withOptions) };
  return {
    elementId: id(`e${index}x`),
    questionId: id(`q${index}x`),
    type: number,
    text: "Say\nmore",
    helpText: null,
    typeSettings: settings[typeName] ?? {},
    responseValidation: { required: false },
    ...(index % 2 === 0 && { name: typeName }),
    ...Object.fromEntries(Object.entries(given).filter(([list]) => list in lists)),
  };
});

function withOptions(column: ReturnType<typeof entries>[number]) {
  return { ...column, options: entries("o") };
}

const page: Page = { pageId: id("page"), title: null, loop: null, skipLogic: [], elements: questions, shuffle: true };
const fields = [
  { name: "customer", type: "text", spellings: ["customer"] },
  { name: "seats", type: "number", spellings: ["seats"] },
] as const;
const contactFields = ["email", "attributes.Team"];

function rowOf(place: number, random: () => number): CollectedRow {
  const answered = questions.flatMap((question) => {
    const value = random() < 0.3 ? undefined : questionTypeOf(question).sample(question, random);
    return value === undefined ? [] : [[answerKey(question.elementId, null), value] as const];
  });
  const at = Date.UTC(2026, 2, 1, 12, place);
  const contact = place % 2 === 0 ? ["=1+1", ""] : null;
  const known = { customer: "@x", seats: 2.5 };
  const { length } = answered;
  return [
    ...([id(`p${place}`), false, false, at, length > 3 ? at + 1_000 : null, 1, "en", "", "", { utm: "x" }] as const),
    ...([[Object.fromEntries(answered)], contact, known, 7] as const),
  ];
}

type Table = { headings: unknown[]; rows: unknown[][] };
const tableOf = ([headings = [], ...rows]: unknown[][]): Table => ({ headings, rows });
const tableOfObjects = (objects: Record<string, unknown>[]): Table => ({
  headings: Object.keys(objects[0]!),
  rows: objects.map((object) => Object.values(object)),
});
const readers: Record<ExportFormatName, (file: Buffer) => Table | Promise<Table>> = {
  csv: (file) => tableOf(papaparse.parse<string[]>(file.toString(), { skipEmptyLines: true }).data),
  async xlsx(file) {
    const [sheet] = await readExcelFile(file, { trim: false });
    return tableOf((sheet as unknown as { data?: unknown[][] }).data ?? (sheet as unknown as unknown[][]));
  },
  json: (file) => tableOfObjects(JSON.parse(file.toString()) as Record<string, unknown>[]),
  ndjson: (file) =>
    tableOfObjects(
      file
        .toString()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    ),
  async sav(file) {
    const { variables, rows } = await readSav(file);
    return { headings: variables.map(({ name }) => name.toLowerCase()), rows };
  },
  async parquet(file) {
    const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
    return tableOfObjects(await parquetReadObjects({ file: buffer }));
  },
};

const optional = <Value>(given: fc.Arbitrary<Value>) => fc.option(given, { nil: null });
const anyOptions = fc.record({
  labels: fc.constantFrom("ids", "labels", "both"),
  headings: fc.constantFrom("texts", "names", "both"),
  includeTest: fc.boolean(),
  includeOrder: fc.boolean(),
  elementIds: optional(
    fc.subarray(
      questions.map(({ elementId }) => elementId),
      { minLength: 1 },
    ),
  ),
  fields: optional(fc.subarray(["customer", "seats"])),
  contactFields: optional(fc.subarray(contactFields, { minLength: 1 })),
});
const formats = Object.keys(exportFormats) as ExportFormatName[];

test("every format takes every combination of options, and has a row for each respondent under headings that differ", async () => {
  const seeds = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 5, maxLength: 50 });
  const property = fc.asyncProperty(fc.constantFrom(...formats), anyOptions, seeds, async (name, given, seed) => {
    let drawn = 0;
    const random = () => seed[(drawn += 1) % seed.length]!;
    const rows = [0, 1, 2].map((place) => rowOf(place, random));
    const { headings, rows: read } = await readers[name](await encode(name, given, rows));
    expect(new Set(headings).size).toBe(headings.length);
    expect(read.map((row) => row[0])).toEqual(rows.map(([respondentId]) => respondentId));
    for (const row of read) expect(row).toHaveLength(headings.length);
  });
  await fc.assert(property, { numRuns: 40 });
});

/** By type, how two versions ask a question, and an answer to the first of them. */
const changed: Record<string, { versions: [Partial<Question>, Partial<Question>]; value: unknown }> = {
  multiple_choice: {
    versions: [{ typeSettings: { multipleAnswers: true } }, { typeSettings: {} }],
    value: [id("c0"), id("c2")],
  },
  date_time: { versions: [{ typeSettings: {} }, { typeSettings: { mode: "time" } }], value: "2026-01-31" },
  matrix: {
    versions: [{ typeSettings: { multiple: true } }, { typeSettings: {} }],
    value: { [id("r1")]: [id("k0"), id("k1")] },
  },
  form: {
    versions: [
      { rows: entries("r").map((row, index) => (index === 0 ? row : { ...row, format: "date" })) },
      { rows: entries("r").map((row) => ({ ...row, format: "number" })) },
    ],
    value: { [id("r0")]: "five", [id("r1")]: "2026-02-01" },
  },
};
const written = ["1", "0", "1", "2026-01-31", "", "", "", "1", "1", "0", "", "", "", "five", "2026-02-01", ""];
const objects = [
  [id("c0"), id("c2")],
  "2026-01-31",
  { [id("r0")]: null, [id("r1")]: [id("k0"), id("k1")], [id("r2")]: null },
  { [id("r0")]: "five", [id("r1")]: "2026-02-01", [id("r2")]: null },
];

test.each(formats)("%s holds answers to a version that asked otherwise", async (name) => {
  const asked = questions.filter((question) => questionTypeOf(question).typeName in changed);
  const changeOf = (question: Question) => changed[questionTypeOf(question).typeName]!;
  const versions = [0, 1].map((version) => {
    return { ...page, elements: asked.map((each) => ({ ...each, ...changeOf(each).versions[version] })) };
  });
  const answers = asked.map((each) => [answerKey(each.elementId, null), changeOf(each).value] as const);
  const [respondentId, ...rest] = rowOf(0, () => 0);
  const row = [respondentId, ...rest.with(9, [Object.fromEntries(answers)])] as unknown as CollectedRow;
  const { rows } = await readers[name](await encode(name, { labels: "ids", fields: [] }, [row], versions));
  const cells = rows[0]!.slice(9);
  expect(name.includes("json") ? cells : cells.map((cell) => `${(cell ?? "") as string | number}`)).toEqual(
    name.includes("json") ? objects : written,
  );
});

async function encode(
  name: ExportFormatName,
  given: object,
  rows: readonly CollectedRow[],
  versions: readonly Page[] = [page],
): Promise<Buffer> {
  const { encode: encodeRows, cells } = exportFormats[name];
  const merger = createQuestionMerger();
  const orders = createShownOrders();
  for (const [index, each] of versions.entries()) {
    merger.add({ pages: [each] });
    orders.add(index + 1, { pages: [each] });
  }
  const usual = { format: name, bom: false, includePartial: true, from: null, to: null, distributorIds: null };
  const options = { ...usual, timeZone: "Europe/Berlin", ...given } as ExportOptions;
  const shown = { hidden: fields, orders: options.includeOrder ? orders : undefined };
  const { columns, fields: members, cellsOf } = createExportLayout(merger.questions(), options, cells, shown);
  const content = {
    title: "Survey",
    bom: false,
    escapeFormulas: true,
    columns,
    fields: members,
    rowCount: rows.length,
    warn: createWarningCounter().note,
    rows: async function* () {
      yield rows.map(cellsOf);
    },
  };
  return Buffer.concat(await Array.fromAsync(encodeRows(content)));
}
