import { createRequire } from "node:module";

interface SavReader {
  open(): Promise<void>;
  readAllRows(includeNulls: boolean): Promise<Record<string, unknown>[]>;
  readNextRow(includeNulls: boolean): Promise<Record<string, unknown>>;
  meta: {
    header: { n_cases: number; encoding: string };
    sysvars: { name: string; label: string }[];
    getValueLabels(name: string): { val: number; label: string }[] | null;
  };
}

// The package supports only `require`.
const { SavBufferReader } = createRequire(import.meta.url)("sav-reader") as {
  SavBufferReader: new (file: Buffer) => SavReader;
};

const measures = ["", "nominal", "ordinal", "scale"];

/** Reads an SPSS file with a library that did not write it. The library skips measurement levels. */
export async function readSav(file: Buffer) {
  const reader = new SavBufferReader(file);
  await reader.open();
  const { header, sysvars } = reader.meta;
  const rows = await reader.readAllRows(true);
  return {
    header,
    rows: rows.map((row) => sysvars.map(({ name }) => row[name] ?? null)),
    variables: sysvars.map(({ name, label }) => ({
      name,
      label,
      values: (reader.meta.getValueLabels(name) ?? []).map(({ val, label: text }) => [val, text]),
    })),
    levels: readLevels(file),
    formats: readFormats(file),
    sets: readSets(file),
  };
}

/** The first rows of a file. Reading many wide rows takes the library minutes. */
export async function readFirstRows(file: Buffer, count: number) {
  const reader = new SavBufferReader(file);
  await reader.open();
  const rows = [];
  for (let index = 0; index < count; index += 1) {
    const row = await reader.readNextRow(true);
    rows.push(reader.meta.sysvars.map(({ name }) => row[name] ?? null));
  }
  return rows;
}

/**
 * Measurement level of each variable, including segments of long texts, from the record of display parameters (level,
 * width and alignment).
 */
function readLevels(file: Buffer): string[] {
  const record = Buffer.alloc(12);
  for (const [index, value] of [7, 11, 4].entries()) record.writeInt32LE(value, index * 4);
  const at = file.indexOf(record);
  const count = file.readInt32LE(at + 12) / 3;
  return Array.from({ length: count }, (_, index) => measures[file.readInt32LE(at + 16 + index * 12)]!);
}

const formatNames: Record<number, string> = { 1: "A", 5: "F", 20: "DATE", 21: "TIME", 22: "DATETIME" };

/** The print formats of the variables, without those of segments of long texts. */
function readFormats(file: Buffer): string[] {
  const formats: string[] = [];
  for (let at = 176; file.readInt32LE(at) === 2;) {
    const [width, hasLabel, format] = [4, 8, 16].map((offset) => file.readInt32LE(at + offset)) as [
      number,
      number,
      number,
    ];
    if (width >= 0) formats.push(`${formatNames[format >> 16]}${(format >> 8) & 0xff}.${format & 0xff}`);
    at += 32;
    if (hasLabel) at += 4 + Math.ceil(file.readInt32LE(at) / 4) * 4;
  }
  return formats;
}

/** The lines of the record of multiple response sets. */
function readSets(file: Buffer): string {
  const record = Buffer.alloc(12);
  for (const [index, value] of [7, 7, 1].entries()) record.writeInt32LE(value, index * 4);
  const at = file.indexOf(record);
  return at < 0 ? "" : file.toString("utf8", at + 16, at + 16 + file.readInt32LE(at + 12));
}
