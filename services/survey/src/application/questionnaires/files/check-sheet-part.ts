import { SaxesParser } from "saxes";
import { fileRefused } from "./file-refused.ts";

/** Limits on the places of cells with a value. */
const most = { rows: 20_000, columns: 500 };
/** The last row of the format. Empty rows up to it may be formatted. */
const lastRow = 1_048_576;
const address = /^([A-Z]{1,3})?(\d{1,7})$/;

/**
 * Checks the places of rows and cells in a part of an xlsx file. The library creates all rows and cells before a cell,
 * so one far away would take the memory of the whole process. Throws `validation_failed`.
 */
export function checkSheetPart(name: string, xml: string): void {
  const refuse = (message: string) => {
    throw fileRefused(`${message} in ${name.slice(0, 100)}`);
  };
  const parser = new SaxesParser();
  const open: { name: string; row: number; column: number }[] = [];
  parser.on("error", (error) => refuse(`is no xlsx file: ${error.message.slice(0, 200)}`));
  parser.on("doctype", () => refuse("has a document type"));
  parser.on("opentag", ({ name: qualified, attributes }) => {
    const tag = localName(qualified);
    const parent = open.at(-1);
    if (parent?.name === "c") {
      if (parent.row > most.rows) refuse(`has more than ${most.rows} rows`);
      if (parent.column > most.columns) refuse(`has more than ${most.columns} columns`);
    }
    // A cell is in the row of its own address or of the `row` around it, whichever is further down.
    const at = { name: tag, row: parent?.name === "row" ? parent.row : 0, column: 0 };
    open.push(at);
    if (tag !== "row" && tag !== "c") return;
    for (const [key, value] of Object.entries(attributes)) {
      if (localName(key) !== "r") continue;
      const [, letters = "", digits] = address.exec(value) ?? [];
      if (digits === undefined || Number(digits) > lastRow) refuse(`has no row or cell at ${value.slice(0, 20)}`);
      at.row = Math.max(at.row, Number(digits));
      at.column = Math.max(at.column, columnOf(letters));
    }
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Returns the number of the column that the letters A to Z name; 0 without letters. */
const columnOf = (letters: string): number => Buffer.from(letters).reduce((column, code) => column * 26 + code - 64, 0);
