import { Readable } from "node:stream";
import type { ExportCell } from "@canvass/questions";
import { ZipFile } from "yazl";
import type { ExportContent, ExportFormat } from "./export-format.ts";
import { cellXml, columnsXml, longestText } from "./xlsx-cells.ts";
import {
  contentTypes,
  packageRelations,
  sheetEnd,
  sheetStart,
  styles,
  workbook,
  workbookRelations,
} from "./xlsx-parts.ts";

const mostSheetRows = 1_048_576;

/** An Office Open XML workbook (ECMA-376), written as a stream: only some rows are in memory. */
export const xlsx: ExportFormat = {
  extension: "xlsx",
  mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  cells: { values: "written", times: "clock", lists: "joined" },
  encode(content) {
    const sheetCount = Math.max(1, Math.ceil(content.rowCount / (mostSheetRows - 1)));
    const zip = new ZipFile();
    const addPart = (name: string, xml: string) => zip.addBuffer(Buffer.from(xml), name);
    addPart("[Content_Types].xml", contentTypes(sheetCount));
    addPart("_rels/.rels", packageRelations);
    addPart("xl/workbook.xml", workbook(sheetCount));
    addPart("xl/_rels/workbook.xml.rels", workbookRelations(sheetCount));
    addPart("xl/styles.xml", styles);
    const rows = content.rows()[Symbol.asyncIterator]();
    const rest: ExportCell[][] = [];
    for (let number = 1; number <= sheetCount; number += 1) {
      // Sheets are written one after another: each continues where the last one ended.
      const options = { compressionLevel: 1 };
      zip.addReadStreamLazy(`xl/worksheets/sheet${number}.xml`, options, (give) =>
        give(null, Readable.from(sheetXml(content, rows, rest), { objectMode: false })),
      );
    }
    zip.end();
    const output = zip.outputStream as Readable;
    // The library reports failed parts by an event and leaves its output open.
    zip.on("error", (error: Error) => output.destroy(error));
    return output;
  },
};

async function* sheetXml(
  { columns, warn }: ExportContent,
  rows: AsyncIterator<ExportCell[][]>,
  rest: ExportCell[][],
): AsyncGenerator<Buffer> {
  const names = columns.map((_, index) => columnName(index));
  const headings = columns.map(({ heading }) => heading);
  yield Buffer.from(sheetStart(columnsXml(columns)) + rowXml(columns, names, headings, 1));
  let number = 1;
  for (;;) {
    const room = mostSheetRows - number;
    const next = rest.length > 0 ? { done: false, value: rest.splice(0) } : await rows.next();
    if (next.done) break;
    const some = next.value;
    rest.push(...some.slice(room));
    const written = some.slice(0, room);
    warnOfCuts(written, columns, warn);
    yield Buffer.from(written.map((row) => rowXml(columns, names, row, (number += 1))).join(""));
    if (rest.length > 0) break;
  }
  yield Buffer.from(sheetEnd);
}

function rowXml(
  columns: ExportContent["columns"],
  names: readonly string[],
  row: readonly ExportCell[],
  number: number,
): string {
  const cells = row.map((cell, index) => cellXml(`${names[index]}${number}`, columns[index]!.kind, cell));
  return `<row r="${number}">${cells.join("")}</row>`;
}

function warnOfCuts(
  rows: readonly ExportCell[][],
  columns: ExportContent["columns"],
  warn: ExportContent["warn"],
): void {
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      if (typeof cell === "string" && cell.length > longestText) warn("texts_cut", columns[index]!.id, longestText);
    }
  }
}

function columnName(index: number): string {
  let name = "";
  for (let rest = index; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    name = String.fromCharCode(65 + (rest % 26)) + name;
  }
  return name;
}
