import type { ExportCell } from "@canvass/questions";
import { parquetReadObjects, parquetMetadataAsync } from "hyparquet";
import papaparse from "papaparse";
import readExcelFile from "read-excel-file/node";
import { expect, test } from "vitest";
import { readFirstRows, readSav } from "../../../../test/read-sav.ts";
import type { ExportFormatName } from "../../../domain/exports/export-options.ts";
import { exportFields } from "../../../domain/exports/export-fields.ts";
import type { FixedColumn, HeadedColumn } from "../../../domain/exports/export-layout.ts";
import { createWarningCounter, type WarningCounter } from "../../../domain/exports/export-warnings.ts";
import { variableName } from "../../../domain/exports/variable-names.ts";
import { exportFormats } from "./index.ts";

const number = { kind: "number", measure: "scale", values: [] } as const;
const text = { kind: "text", measure: "nominal", values: [] } as const;
/** A column of a question without a name. */
function headed(column: FixedColumn & { heading: string }): HeadedColumn {
  const { id, heading, part } = column;
  const group = variableName(part?.question.id ?? id);
  const setName = part && variableName([part.question.id, ...part.path.map((entry) => entry.id)].join("."));
  return { ...column, name: variableName(id), group, label: heading, ...(column.chosen && { setName: setName! }) };
}

const choices = [
  { code: 1, id: "red0000000000000", label: "Red" },
  { code: 2, id: "blue000000000000", label: 'Blue, "dark"' },
];
const columns: HeadedColumn[] = [
  headed({ id: "respondentId", text: "Respondent", heading: "Respondent", ...text }),
  headed({
    id: "completedAt",
    text: "Completed at",
    heading: "Completed at",
    kind: "datetime",
    measure: "scale",
    values: [],
  }),
  headed({ id: "number0000000000", text: "How many?", heading: "How many?", ...number }),
  headed({
    id: "color00000000000",
    text: "Colour; which?",
    heading: "Colour; which?",
    kind: "value",
    measure: "nominal",
    values: choices,
  }),
  headed({ id: "words00000000000", text: "Say\nmore", heading: "Say\nmore", ...text }),
  headed({
    id: "scale00000000000",
    text: "Ordered",
    heading: "Ordered",
    kind: "number",
    measure: "ordinal",
    values: [{ code: 1, id: "1", label: "low" }],
  }),
];
const at = Date.UTC(2026, 2, 1, 11, 30);
const long = "ä long text €😀 ".repeat(300).trim();
/** Answers of respondents, some of which a spreadsheet would run as formulas. */
const texts = [
  "plain",
  'say "hi", she said;\r\nthen\ttab',
  "=1+1",
  "+49 30 1",
  "-5",
  "@SUM(A1)",
  "ünï €😀 </c>&amp;",
  "_x0041_\u0001",
  long,
  "0012",
  null,
];

function rowsFor(values: "written" | "codes", time: ExportCell, words = texts): ExportCell[][] {
  return words.map((text, index) => [
    `respondent${index}`,
    index === 3 ? null : time,
    [0, -3, 1.5, 150, 151, 152, 1e15, 0.1, -99, -100, null][index]!,
    index % 3 === 2 ? null : values === "codes" ? (index % 3) + 1 : choices[index % 3]!.label,
    text,
    index % 2,
  ]);
}

interface Encoding {
  columns?: HeadedColumn[];
  bom?: boolean;
  escapeFormulas?: boolean;
  counter?: WarningCounter;
}

async function encode(
  name: ExportFormatName,
  rows: ExportCell[][],
  { columns: given = columns, bom = false, escapeFormulas = true, counter = createWarningCounter() }: Encoding = {},
): Promise<Buffer> {
  const content = {
    title: "Survey",
    bom,
    escapeFormulas,
    warn: counter.note,
    columns: given,
    fields: exportFields(given, { labels: "labels" }),
    rowCount: rows.length,
    rows: async function* () {
      for (let from = 0; from < rows.length; from += 3) yield rows.slice(from, from + 3);
    },
  };
  return Buffer.concat(await Array.fromAsync(exportFormats[name].encode(content)));
}

const escaped = (cell: ExportCell): ExportCell =>
  typeof cell === "string" && /^[=+\-@]/.test(cell) ? `'${cell}` : cell;
const time = "2026-03-01T12:30:00.000+01:00";

test("csv is read back, and no text is a formula", async () => {
  const rows = rowsFor("written", time);
  const { data, errors } = papaparse.parse<string[]>((await encode("csv", rows)).toString(), { skipEmptyLines: true });
  expect(errors).toEqual([]);
  expect(data[0]).toEqual(columns.map(({ heading }) => heading));
  expect(data.slice(1)).toEqual(rows.map((row) => row.map((cell) => String(escaped(cell) ?? ""))));
});

test("csv starts with a byte order mark on request, and reads back equal", async () => {
  const rows = rowsFor("written", time);
  const [plain, marked] = [await encode("csv", rows), await encode("csv", rows, { bom: true })];
  expect([...marked.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(marked.subarray(3)).toEqual(plain);
  expect(plain[0]).not.toBe(0xef);
  // Readers drop the byte order mark.
  expect(papaparse.parse(marked.toString()).data).toEqual(papaparse.parse(plain.toString()).data);
});

test("csv holds the answers unescaped on request", async () => {
  const rows = rowsFor("written", time);
  const file = await encode("csv", rows, { escapeFormulas: false });
  const { data } = papaparse.parse<string[]>(file.toString(), { skipEmptyLines: true });
  expect(data.slice(1)).toEqual(rows.map((row) => row.map((cell) => String(cell ?? ""))));
});

async function readSheet(file: Buffer): Promise<unknown[][]> {
  const [sheet] = await readExcelFile(file, { trim: false });
  return (sheet as unknown as { data?: unknown[][] }).data ?? (sheet as unknown as unknown[][]);
}

test("xlsx is read back with numbers as numbers, moments as dates, and texts as they were answered", async () => {
  const rows = rowsFor("written", at);
  const expected = rows.map((row) => row.map((cell, index) => (index === 1 && cell !== null ? new Date(at) : cell)));
  expect(await readSheet(await encode("xlsx", rows))).toEqual([columns.map(({ heading }) => heading), ...expected]);
});

const scaled = { measure: "scale", values: [] } as const;
const dates: HeadedColumn[] = (["date", "time", "datetime"] as const).map((kind) =>
  headed({ id: `${kind}0000000000000`.slice(0, 16), text: kind, heading: kind, kind, ...scaled }),
);
const halfPastFive = 17.5 * 3_600_000;
const dateRows: ExportCell[][] = [
  [Date.UTC(1990, 1, 28), halfPastFive, at],
  [Date.UTC(1900, 2, 1), 0, Date.UTC(9999, 11, 31)],
  [Date.UTC(1890, 0, 1), null, Date.UTC(1890, 0, 1, 12)],
];

test("dates and times are cells of that kind in xlsx; what a spreadsheet does not count is text", async () => {
  const [, ...rows] = await readSheet(await encode("xlsx", dateRows, { columns: dates }));
  const timeOfDay = new Date(Date.UTC(1899, 11, 30) + halfPastFive);
  expect(rows).toEqual([
    [new Date("1990-02-28"), timeOfDay, new Date(at)],
    [new Date("1900-03-01"), new Date(Date.UTC(1899, 11, 30)), new Date("9999-12-31")],
    ["1890-01-01", null, "1890-01-01T12:00:00.000"],
  ]);
});

test("dates and times are of that kind in parquet", async () => {
  const file = await encode("parquet", dateRows, { columns: dates });
  const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
  const { schema } = await parquetMetadataAsync(buffer);
  expect(schema.slice(1).map((element) => element.converted_type)).toEqual(["DATE", "TIME_MILLIS", "TIMESTAMP_MILLIS"]);
  expect(Object.values((await parquetReadObjects({ file: buffer }))[0]!)).toEqual([
    new Date("1990-02-28"),
    halfPastFive,
    new Date(at),
  ]);
});

test("dates and times are of that kind in sav", async () => {
  const { rows, formats } = await readSav(await encode("sav", dateRows, { columns: dates }));
  expect(formats).toEqual(["DATE11.0", "TIME8.0", "DATETIME20.0"]);
  const epoch = 12_219_379_200;
  expect(rows[0]).toEqual([Date.UTC(1990, 1, 28) / 1_000 + epoch, halfPastFive / 1_000, at / 1_000 + epoch]);
});

test("json holds lists and objects, and keys that differ", async () => {
  const question = { id: "matrix0000000000", text: "M" };
  const taste = { id: "row1", label: "Taste" };
  const again = { id: "row2", label: "Taste" };
  const marks = { kind: "number", measure: "nominal", values: [] } as const;
  const part = (row: typeof taste, id: string, label: string): HeadedColumn => {
    const text = `M: ${row.label}: ${label}`;
    return headed({
      id: `${question.id}.${row.id}.${id}`,
      text,
      heading: text,
      ...marks,
      part: { question, path: [row] },
      chosen: { id, label },
    });
  };
  const given: HeadedColumn[] = [
    part(taste, "a", "A"),
    part(taste, "b", "A; B"),
    part(again, "a", "A"),
    part(again, "b", "A; B"),
    headed({ id: "files", text: "Files", heading: "Files", kind: "list", measure: "nominal", values: [] }),
    headed({ id: "metadata", text: "Metadata", heading: "Metadata", kind: "object", measure: "nominal", values: [] }),
  ];
  const rows = [
    [1, 1, 0, 0, '["a; b.txt","c"]', '{"utm":{"source":"x"}}'],
    [null, null, null, null, null, null],
  ];
  const file = await encode("json", rows, { columns: given });
  expect(JSON.parse(file.toString())).toEqual([
    {
      M: { "Taste [row1]": ["A", "A; B"], "Taste [row2]": [] },
      Files: ["a; b.txt", "c"],
      Metadata: { utm: { source: "x" } },
    },
    { M: null, Files: null, Metadata: null },
  ]);
});

test("sav distinguishes sets of choices from other variables", async () => {
  const question = { id: "multi00000000000", text: "Have" };
  const choices = ["TV", "Radio"].map((label): HeadedColumn => {
    const id = label.toLowerCase();
    const text = `Have: ${label}`;
    const values = [
      { code: 0, id: "0", label: "No" },
      { code: 1, id: "1", label: "Yes" },
    ];
    return headed({
      id: `${question.id}.${id}`,
      text,
      heading: text,
      kind: "number",
      measure: "nominal",
      values,
      part: { question, path: [] },
      chosen: { id, label },
    });
  });
  const file = await encode(
    "sav",
    [
      ["r", 1, 0],
      ["s", null, null],
    ],
    { columns: [columns[0]!, ...choices] },
  );
  const { rows, sets, variables } = await readSav(file);
  expect(rows).toEqual([
    ["r", 1, 0],
    ["s", null, null],
  ]);
  expect(variables[1]!.values).toEqual([
    [0, "No"],
    [1, "Yes"],
  ]);
  expect(sets).toBe("$q_multi00000000000=D1 1 4 Have v2 v3\n");
});

test("sets of choices whose long names start alike are different sets", async () => {
  const question = { id: "m", text: "M" };
  const marks = ["a", "b"].flatMap((row) =>
    ["1", "2"].map((entry): HeadedColumn => {
      const id = `m.${row}.${entry}`;
      const [path, chosen] = [[{ id: row, label: row }], { id: entry, label: entry }];
      const column = headed({ id, text: id, heading: id, ...number, part: { question, path }, chosen });
      return { ...column, setName: "long_name".repeat(7) + row };
    }),
  );
  const { sets } = await readSav(await encode("sav", [[1, 0, 0, 1]], { columns: marks }));
  const names = sets
    .trim()
    .split("\n")
    .map((line) => line.split("=", 1)[0]!);
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name.length).toBeLessThanOrEqual(64);
});

test("labels of sav that are equal after shortening are made distinct", async () => {
  const stem = "Совершенно согласен с тем, что работа муниципальных служб в нашем районе за последний год ";
  const values = ["улучшилась", "ухудшилась", "short", "short", "short [4]"].map((end, index) => ({
    code: index + 1,
    id: `choice${index}`,
    label: index < 2 ? stem + end : end,
  }));
  const column = headed({ id: "q", text: "Q", heading: "Q", kind: "value", measure: "nominal", values });
  const long = "h".repeat(300);
  const twins = ["twin1", "twin2"].map((id) => headed({ id, text: long, heading: `${long}${id}`, ...number }));
  const { variables } = await readSav(await encode("sav", [[1, 2, 3]], { columns: [column, ...twins] }));
  const labels = variables[0]!.values.map(([, label]) => label as string);
  expect(new Set(labels).size).toBe(5);
  for (const label of labels) expect(Buffer.byteLength(label)).toBeLessThanOrEqual(120);
  expect(labels.slice(2)).toEqual(["short [3]", "short [4]", "short [4] [5]"]);
  const headings = variables.map(({ label }) => label);
  expect(headings.slice(1).map((heading) => heading.slice(-8))).toEqual([" [twin1]", " [twin2]"]);
});

test("numbers of sav are shown whole", async () => {
  const rows = [
    [0.125, 1e15, -3, 5],
    [-12.5, 0, null, 11],
  ];
  const given = ["a", "b", "c", "d"].map((id) => headed({ id, text: id, heading: id, ...number }));
  const { formats } = await readSav(await encode("sav", rows, { columns: given }));
  expect(formats).toEqual(["F7.3", "F16.0", "F2.0", "F2.0"]);
});

test("json and ndjson are read back as objects by heading", async () => {
  const rows = rowsFor("written", time);
  const objects = rows.map((row) => Object.fromEntries(row.map((cell, index) => [columns[index]!.heading, cell])));
  expect(JSON.parse((await encode("json", rows)).toString())).toEqual(objects);
  const lines = (await encode("ndjson", rows)).toString().trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(objects);
  expect(JSON.parse((await encode("json", [])).toString())).toEqual([]);
});

test("parquet reads back by column names, with numbers, timestamps, texts and headings", async () => {
  const rows = rowsFor("written", at);
  const file = await encode("parquet", rows);
  const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
  const read = await parquetReadObjects({ file: buffer });
  const expected = rows.map((row) =>
    Object.fromEntries(
      row.map((cell, index) => [columns[index]!.name, index === 1 && cell !== null ? new Date(at) : cell]),
    ),
  );
  expect(read).toEqual(expected);
  const { num_rows: count, key_value_metadata: metadata } = await parquetMetadataAsync(buffer);
  expect(count).toBe(BigInt(rows.length));
  const headings = metadata!.find(({ key }) => key === "headings")!.value!;
  expect(JSON.parse(headings)).toEqual(Object.fromEntries(columns.map(({ name, heading }) => [name, heading])));
});

test("parquet holds few rows of long texts at once", async () => {
  const column = columns[4]!;
  const rows = Array.from({ length: 40 }, (_, index) => [`${index} ${"x".repeat(1_000_000)}`]);
  const file = await encode("parquet", rows, { columns: [column] });
  const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
  expect((await parquetMetadataAsync(buffer)).row_groups.map(({ num_rows }) => num_rows)).toEqual([18n, 18n, 4n]);
  const read = await parquetReadObjects({ file: buffer });
  expect(read.map((row) => [row[column.name]])).toEqual(rows);
});

test("sav is read back with names, labels of variables and values, and levels of measurement", async () => {
  // The reader decodes eight bytes at a time, so no character may cross such a boundary.
  const words = texts.map(
    (text) => text?.replace(/^ünï.*/, "äöüß€ ok").replaceAll(/^ä long.*/g, "long text ".repeat(700).trim()) ?? "",
  );
  const rows = rowsFor("codes", at, words);
  const file = await encode("sav", rows);
  const { header, variables, rows: read, levels } = await readSav(file);
  expect(header).toMatchObject({ n_cases: rows.length, encoding: "UTF-8" });
  const ordered = [[1, "low"]];
  const colours = [
    [1, "Red"],
    [2, 'Blue, "dark"'],
  ];
  expect(variables).toEqual([
    { name: "respondentId", label: "Respondent", values: [] },
    { name: "completedAt", label: "Completed at", values: [] },
    { name: "q_number0000000000", label: "How many?", values: [] },
    { name: "q_color00000000000", label: "Colour; which?", values: colours },
    { name: "q_words00000000000", label: "Say\nmore", values: [] },
    { name: "q_scale00000000000", label: "Ordered", values: ordered },
  ]);
  // Each segment of a long text has a level of its own.
  expect(levels.filter((level, index) => index < 4 || level !== "nominal")).toEqual([
    "nominal",
    "scale",
    "scale",
    "nominal",
    "ordinal",
  ]);
  const seconds = at / 1000 + 12_219_379_200;
  expect(read).toEqual(rows.map((row) => row.map((cell, index) => (index === 1 && cell !== null ? seconds : cell))));
});

test("many columns and no rows make whole files, too", async () => {
  const wide = Array.from({ length: 2_000 }, (_, index) => {
    const id = `q${index}`;
    return headed({ id, text: id, heading: id, ...text });
  });
  const row = wide.map(({ id }) => id);
  const { data } = papaparse.parse<string[]>((await encode("csv", [row], { columns: wide })).toString().trim());
  expect(data[1]).toEqual(row);
  const [sheet] = await readExcelFile(await encode("xlsx", [row], { columns: wide }));
  expect(((sheet as unknown as { data: unknown[][] }).data ?? sheet)[1]).toEqual(row);
  for (const name of ["csv", "xlsx", "ndjson", "sav", "parquet"] as const) {
    expect((await encode(name, [])).length).toBeGreaterThanOrEqual(name === "ndjson" ? 0 : 1);
  }
});

const oneText: HeadedColumn[] = [columns[0]!, columns[4]!];

test("one long text among many rows does not make a sav file many times larger, and shortened texts are reported", async () => {
  const longest = "a long text ".repeat(2_500);
  const rows = Array.from({ length: 60_000 }, (_, index): ExportCell[] => [
    `respondent${index}`,
    index === 1 ? longest : null,
  ]);
  const counter = createWarningCounter();
  const file = await encode("sav", rows, { columns: oneText, counter });
  const csv = await encode("csv", rows, { columns: oneText });
  // If the texts were kept whole, padding would take 225 MB.
  expect(file.length).toBeLessThan(3 * csv.length + 18e6);
  const [warning, ...others] = counter.warnings();
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ code: "texts_cut", columnId: "words00000000000", count: 1 });
  expect(warning!.kept).toBeGreaterThan(2_000);
  expect(await readFirstRows(file, 3)).toEqual([
    ["respondent0", ""],
    ["respondent1", longest.slice(0, warning!.kept).trimEnd()],
    ["respondent2", ""],
  ]);
});

test("a sav file of few rows keeps long texts whole to the format's end, and tells of all that it lost", async () => {
  const words = ["x".repeat(40_000), "y".repeat(32_767), "blanks  ", "", "plain", null];
  const rows = words.map((text, index) => [`r${index}`, text]);
  const counter = createWarningCounter();
  const labelled: HeadedColumn[] = [oneText[0]!, { ...oneText[1]!, label: "h".repeat(300) }];
  const { rows: read } = await readSav(await encode("sav", rows, { columns: labelled, counter }));
  expect(read.map((row) => row[1])).toEqual(["x".repeat(32_767), "y".repeat(32_767), "blanks", "", "plain", ""]);
  const columnId = "words00000000000";
  expect(counter.warnings()).toEqual([
    { code: "labels_cut", columnId, count: 1, kept: 0 },
    { code: "texts_cut", columnId, count: 1, kept: 32_767 },
    { code: "blanks_dropped", columnId, count: 1, kept: 0 },
  ]);
});

test("xlsx warns about texts that it cuts; the other formats have them whole", async () => {
  const rows = [["r1", "x".repeat(40_000)]];
  const warnings = async (name: ExportFormatName) => {
    const counter = createWarningCounter();
    await encode(name, rows, { columns: oneText, counter });
    return counter.warnings();
  };
  expect(await warnings("xlsx")).toEqual([{ code: "texts_cut", columnId: "words00000000000", count: 1, kept: 32_767 }]);
  for (const name of ["csv", "json", "ndjson", "parquet"] as const) expect(await warnings(name)).toEqual([]);
});
