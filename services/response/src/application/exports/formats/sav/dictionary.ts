import type { ExportContent } from "../export-format.ts";
import { createByteWriter, type ByteWriter } from "./byte-writer.ts";
import { cutText, longestLabel } from "./labels.ts";
import { isText, type Variable } from "./variables.ts";
import { longestName, withDigest } from "../../../../domain/exports/variable-names.ts";

const bias = 100;
const missing = -Number.MAX_VALUE;
const mostRowsInHeader = 0x7fff_ffff;
const displayTypes = { text: 1, number: 5, date: 20, time: 21, dateTime: 22 };
const measures = { nominal: 1, ordinal: 2, scale: 3 };

export function dictionary(variables: readonly Variable[], { title, rowCount }: ExportContent): Uint8Array {
  const out = createByteWriter();
  writeHeader(out, variables, title, rowCount);
  for (const variable of variables) writeVariable(out, variable);
  writeValueLabels(out, variables);
  writeMachine(out);
  writeDisplay(out, variables);
  const sets = responseSets(variables);
  if (sets !== "") textExtension(out, 7, sets);
  writeNames(out, variables);
  extension(out, 16, 8, 2);
  out.int64(1);
  out.int64(rowCount);
  textExtension(out, 20, "UTF-8");
  out.int32(999, 0);
  return out.take();
}

function writeHeader(out: ByteWriter, variables: readonly Variable[], title: string, rowCount: number): void {
  out.text("$FL2", 4);
  out.text("@(#) SPSS DATA FILE Canvass", 60);
  out.int32(
    2,
    variables.reduce((sum, variable) => sum + placesOf(variable), 0),
    1,
    0,
  );
  out.int32(rowCount > mostRowsInHeader ? -1 : rowCount);
  out.float64(bias);
  // A fixed date, so that the same answers give the same file.
  out.text("01 Jan 70", 9);
  out.text("00:00:00", 8);
  out.text(cutText(title, 64), 64);
  out.text(Buffer.alloc(3), 3);
}

/** Number of eight-byte values that a variable takes in a case. */
const placesOf = ({ segments }: Variable): number =>
  segments.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / 8)), 0);

function writeVariable(out: ByteWriter, variable: Variable): void {
  for (const [index, { shortName, width }] of variable.segments.entries()) {
    const label = index === 0 ? variable.label.bytes : Buffer.alloc(0);
    const display = displayOf(variable, width);
    out.int32(2, width, label.length > 0 ? 1 : 0, 0, display, display);
    out.text(shortName, 8);
    if (label.length > 0) {
      out.int32(label.length);
      out.text(label, Math.ceil(label.length / 4) * 4);
    }
    for (let place = 1; place < Math.ceil(width / 8); place += 1) {
      out.int32(2, -1, 0, 0, 0, 0);
      out.text("", 8);
    }
  }
}

function displayOf({ column, shown }: Variable, width: number): number {
  const display = (type: number, columns: number, decimals: number) => (type << 16) | (columns << 8) | decimals;
  if (isText(column)) return display(displayTypes.text, width, 0);
  switch (column.kind) {
    case "date":
      return display(displayTypes.date, 11, 0);
    case "time":
      return display(displayTypes.time, 8, 0);
    case "datetime":
      return display(displayTypes.dateTime, 20, 0);
    default:
      return display(displayTypes.number, shown.width, shown.decimals);
  }
}

function writeValueLabels(out: ByteWriter, variables: readonly Variable[]): void {
  let index = 1;
  for (const variable of variables) {
    const { values } = variable;
    if (values.length > 0) {
      out.int32(3, values.length);
      for (const { code, bytes } of values) {
        out.float64(code);
        out.byte(bytes.length);
        out.text(bytes, Math.ceil((bytes.length + 1) / 8) * 8 - 1);
      }
      out.int32(4, 1, index);
    }
    index += placesOf(variable);
  }
}

function writeMachine(out: ByteWriter): void {
  extension(out, 3, 4, 8);
  // Version, machine, IEEE 754, compression, little-endian, UTF-8.
  out.int32(27, 0, 0, -1, 1, 1, 2, 65_001);
  extension(out, 4, 8, 3);
  out.float64(missing);
  out.float64(Number.MAX_VALUE);
  out.bytes(Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xef, 0xff));
}

function writeDisplay(out: ByteWriter, variables: readonly Variable[]): void {
  extension(
    out,
    11,
    4,
    variables.reduce((sum, { segments }) => sum + segments.length * 3, 0),
  );
  for (const { column, segments } of variables) {
    const [width, alignment] = isText(column) ? [32, 0] : [10, 1];
    for (const _ of segments) out.int32(measures[column.measure], width, alignment);
  }
}

function writeNames(out: ByteWriter, variables: readonly Variable[]): void {
  textExtension(out, 13, variables.map(({ shortName, name }) => `${shortName}=${name}`).join("\t"));
  const long = variables.filter(({ segments }) => segments.length > 1);
  const widths = long.map(({ shortName, width }) => `${shortName}=${String(width).padStart(5, "0")}\0\t`);
  if (long.length > 0) textExtension(out, 14, widths.join(""));
}

function extension(out: ByteWriter, subtype: number, size: number, count: number): void {
  out.int32(7, subtype, size, count);
}

function textExtension(out: ByteWriter, subtype: number, text: string): void {
  extension(out, subtype, 1, Buffer.byteLength(text));
  out.bytes(Buffer.from(text));
}

/** Returns a line of record 7 for each multiple response set: the choices of one question or of one part of it. */
function responseSets(variables: readonly Variable[]): string {
  const chosen = variables.filter(({ column }) => column.chosen);
  const sets = Map.groupBy(chosen, ({ column }) => column.setName);
  return [...sets.values()].map((set) => (set.length > 1 ? lineOf(set) : "")).join("");
}

function lineOf(set: readonly Variable[]): string {
  const { part, setName } = set[0]!.column;
  const { question, path } = part!;
  const text = [question.text, ...path.map(({ label: entry }) => entry)].join(": ");
  // `$` keeps a set's name apart from every variable's, and counts in its length.
  const name = `$${setName!.length < longestName ? setName! : withDigest(setName!, setName!)}`;
  const label = cutText(text.replaceAll(/\s+/g, " "), longestLabel.variable);
  const names = set.map(({ shortName }) => shortName.toLowerCase()).join(" ");
  return `${name}=D1 1 ${label.length} ${label.toString()} ${names}\n`;
}
