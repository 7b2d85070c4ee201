import { attributePrefix, contactTextNames, type Violation } from "@canvass/inputs";
import { isBlank } from "@canvass/values";
import { readPhone } from "../contacts/phone.ts";
import { replacementCharacter, type ImportRow, type ImportSettings } from "./import-settings.ts";

const ownColumns = [...contactTextNames, "status"];
const spellings = new Map(ownColumns.map((name) => [spelling(name), name]));
spellings.set("mail", "email");
spellings.set("emailaddress", "email");
spellings.set("phonenumber", "phone");

const mostColumns = 200;

/** Returns a contact field, or `attributes.` and a name; empty without a heading. */
export function columnOf(heading: string): string {
  const text = heading.trim();
  if (isBlank(text)) return "";
  const own = spellings.get(spelling(text));
  if (own) return own;
  return text.startsWith(attributePrefix) ? text : `${attributePrefix}${text}`;
}

function spelling(heading: string): string {
  return heading.toLowerCase().replaceAll(/[\s_.-]/g, "");
}

export function headingViolations(columns: readonly string[], { matchOn, mode }: ImportSettings): Violation[] {
  const violations: Violation[] = [];
  const add = (message: string) => violations.push({ path: "body", message });
  if (columns.length > mostColumns) return [{ path: "body", message: `must have at most ${mostColumns} columns` }];
  columns.forEach((column, index) => {
    if (column === attributePrefix) add(`must have a name behind ${attributePrefix} above column ${index + 1}`);
    else if (column.includes(replacementCharacter))
      add(`must have a heading that is text in the file's charset above column ${index + 1}`);
    else if (column !== "" && columns.indexOf(column) < index) {
      add(`must not have two columns for ${column.slice(0, 100)}`);
    }
  });
  if (mode === "upsert" && !columns.includes(matchOn)) add(`must have a column ${matchOn}, by which rows are matched`);
  return violations;
}

/** Returns the indexes of cells that have a value but no heading. */
export function placesWithoutHeading(columns: readonly string[], cells: readonly string[]): number[] {
  return cells.flatMap((cell, index) => (columns[index] === "" && !isBlank(cell) ? [index] : []));
}

/** Omits empty cells, so that they change nothing. */
export function rowOf(columns: readonly string[], cells: readonly string[]): ImportRow {
  const fields: [string, unknown][] = [];
  const attributes: [string, string][] = [];
  cells.forEach((cell, index) => {
    const text = cell.trim();
    const column = columns[index] ?? `column ${index + 1}`;
    if (isBlank(text)) return;
    if (column.startsWith(attributePrefix)) attributes.push([column.slice(attributePrefix.length), text]);
    else fields.push([column, asField(column, text)]);
  });
  // `Object.fromEntries`, so that no heading can set a prototype.
  return Object.fromEntries(
    attributes.length > 0 ? [...fields, ["attributes", Object.fromEntries(attributes)]] : fields,
  );
}

/** Accepts phone numbers with punctuation, and a status in any case. */
function asField(column: string, text: string): string {
  if (column === "status") return text.toLowerCase();
  return column === "phone" ? (readPhone(text) ?? text) : text;
}
