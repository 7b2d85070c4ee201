import type { JsonObject } from "@canvass/values";
import type { Asked } from "../asked.ts";
import type { DraftPage, Questionnaire } from "../questionnaire.ts";
import { change, type ReportItem } from "../report.ts";
import { readCondition } from "../expressions/read-condition.ts";
import { plainBraces } from "../texts.ts";
import { xpath, xpathCall } from "./expressions.ts";
import type { FormList } from "./choice-lists.ts";
import { plainCell, type FormLanguages, type SheetRow } from "./columns.ts";

/** A group or repeat that is open while its rows are read. */
export interface OpenGroup {
  item: ReportItem;
  name: string;
  title: string | undefined;
  titles: Record<string, string>;
  showIf: JsonObject | undefined;
  loop: JsonObject | undefined;
}

/** Context for reading the rows of the sheet `survey`. */
export interface Form {
  questionnaire: Questionnaire;
  lists: ReadonlyMap<string, FormList>;
  languages: FormLanguages;
  asked: Map<string, Asked>;
  fields: Set<string>;
  groups: OpenGroup[];
  /** The page that takes the next question. */
  page: DraftPage | undefined;
}

/** Reads a cell with a condition; undefined if it is empty, or if it cannot be converted, which `item` then reports. */
export function conditionCell(
  form: Form,
  row: SheetRow,
  cell: string,
  item: ReportItem,
  self?: Asked,
): JsonObject | undefined {
  const source = plainCell(row, cell);
  if (source === "") return undefined;
  const read = readCondition(source, xpath, {
    find: (name) => form.asked.get(name),
    isField: (name) => form.fields.has(name),
    call: xpathCall,
    ...(self && { self }),
  });
  if (typeof read !== "string") return read;
  change(item, `${cell} is left out, since it ${read}`);
  return undefined;
}

/** Writes references as placeholders (contract 6.19). */
export function templateOf({ asked, fields }: Form, text: string, item: ReportItem): string {
  return plainBraces(text).replaceAll(/\$\{\s*([\w.-]+)\s*\}/g, (written, name: string) => {
    const known = asked.get(name);
    if (known && known.kind !== "none") return `{{${known.key}}}`;
    if (fields.has(name)) return `{{field.${name}}}`;
    change(item, `a text keeps ${written.slice(0, 60)} as it is written, since the survey has no such answer`);
    return written;
  });
}
