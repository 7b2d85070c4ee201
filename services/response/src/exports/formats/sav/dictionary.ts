import type { ExportContent } from "../export-format.ts";
import { createByteWriter, type ByteWriter } from "./byte-writer.ts";
import type { Variable } from "./variables.ts";

const bias = 100;
const missing = -Number.MAX_VALUE;
const mostRowsInHeader = 0x7fff_ffff;
/** Bytes of labels. */
const longest = { variable: 255, value: 120 };
/** Whether a label is longer than the format takes. */
export function isLabelCut(label: string, of: keyof typeof longest): boolean {
  return Buffer.byteLength(label) > longest[of];
}

const displayTypes = { text: 1, number: 5, dateTime: 22 };
const measures = { nominal: 1, ordinal: 2, scale: 3 };

/** Everything before the cases: the header and the records of the dictionary. */
export function dictionary(variables: readonly Variable[], { title, rowCount }: ExportContent): Uint8Array {
  const out = createByteWriter();
  writeHeader(out, variables, title, rowCount);
  for (const variable of variables) writeVariable(out, variable);
  writeValueLabels(out, variables);
  writeMachine(out);
  writeDisplay(out, variables);
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
  // A file of the same answers is the same file.
  out.text("01 Jan 70", 9);
  out.text("00:00:00", 8);
  out.text(cut(title, 64), 64);
  out.text(Buffer.alloc(3), 3);
}

/** Places of eight bytes in a case. */
const placesOf = ({ segments }: Variable): number =>
  segments.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / 8)), 0);

function writeVariable(out: ByteWriter, { column, segments }: Variable): void {
  for (const [index, { shortName, width }] of segments.entries()) {
    const label = index === 0 ? cut(column.heading, longest.variable) : Buffer.alloc(0);
    out.int32(2, width, label.length > 0 ? 1 : 0, 0, displayOf(column.kind, width), displayOf(column.kind, width));
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

function displayOf(kind: Variable["column"]["kind"], width: number): number {
  const display = (type: number, columns: number, decimals: number) => (type << 16) | (columns << 8) | decimals;
  if (kind === "text") return display(displayTypes.text, width, 0);
  if (kind === "time") return display(displayTypes.dateTime, 20, 0);
  return kind === "value" ? display(displayTypes.number, 4, 0) : display(displayTypes.number, 8, 2);
}

function writeValueLabels(out: ByteWriter, variables: readonly Variable[]): void {
  let index = 1;
  for (const variable of variables) {
    const { values } = variable.column;
    if (values.length > 0) {
      out.int32(3, values.length);
      for (const { code, label } of values) {
        const bytes = cut(label, longest.value);
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
    const isText = column.kind === "text";
    for (const _ of segments) out.int32(measures[column.measure], isText ? 32 : 10, isText ? 0 : 1);
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

/** The beginning of a text, cut between characters. */
function cut(text: string, bytes: number): Buffer {
  const all = Buffer.from(text);
  let end = Math.min(all.length, bytes);
  while (end < all.length && (all[end]! & 0xc0) === 0x80) end -= 1;
  return all.subarray(0, end);
}
