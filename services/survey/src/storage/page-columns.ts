import type { Page } from "@canvass/questions";
import { contentSql, type ContentColumn, type Stored } from "./content-columns.ts";

/**
 * Reads and writes of whole pages follow from this table. `insert-questions.ts` adds pages by their title alone, and
 * the database computes the digest.
 */
const columns: readonly ContentColumn<Exclude<keyof Page, "pageId" | "elements">>[] = [
  { name: "title", member: "title", type: "text" },
  { name: "loop", member: "loop", type: "jsonb" },
  { name: "skip_logic", member: "skipLogic", type: "jsonb" },
  { name: "show_if", member: "showIf", type: "jsonb", isOptional: true },
  { name: "shuffle", member: "shuffle", type: "boolean", isOptional: true },
  { name: "block", member: "block", type: "text", isOptional: true },
  { name: "translations", member: "translations", type: "jsonb", isOptional: true },
];
const untranslated = columns.filter(({ name }) => name !== "translations");
const id: ContentColumn = { name: "page_id", member: "pageId", type: "text" };

const { read, json, names, excluded, values, record, fromStored } = contentSql([id], columns, "p");

/** Of pages `p`. */
export const PAGE_COLUMNS = read;
export const UNTRANSLATED_PAGE_COLUMNS = contentSql([id], untranslated, "p").read;

/** Page `p` of a definition, without its elements. */
export const PAGE_JSON = json;

/** Bytes of a page `p` in the database. */
export const PAGE_BYTES = [
  ...untranslated.map(({ name, type }) => (type === "boolean" ? "0" : `coalesce(octet_length(p.${name}::text), 0)`)),
  "coalesce(p.translations_bytes, 0)",
].join(" + ");

/** Takes workspace, survey, and the pages with their `sortOrder` as JSON. */
export const UPSERT_PAGES = `INSERT INTO pages (workspace_id, survey_id, page_id, sort_order, ${names})
SELECT $1, $2, r."pageId", r."sortOrder", ${values}
FROM jsonb_to_recordset($3::jsonb) AS r ("sortOrder" int4, ${record})
ON CONFLICT (workspace_id, page_id) DO UPDATE SET (sort_order, ${names})
  = (excluded.sort_order, ${excluded})`;

/** Takes workspace and the pages as JSON. */
export const UPDATE_PAGES = `UPDATE pages SET (${names}) = (${values})
FROM jsonb_to_recordset($2::jsonb) AS r (${record})
WHERE pages.workspace_id = $1 AND pages.page_id = r."pageId"`;

export const toPage = <Row extends Partial<Page>>(stored: Stored<Row>): Row => fromStored(stored);

/** A page as `UPSERT_PAGES` and `UPDATE_PAGES` take it. */
export function withoutElements(page: Page): Omit<Page, "elements"> {
  const { elements: _, ...rest } = page;
  return rest;
}

/** Compares by identity: edits reuse the parts that they do not change. */
export function isSamePage(page: Page, old: Page): boolean {
  return columns.every(({ member }) => isSame(page[member], old[member]));
}

function isSame(value: unknown, old: unknown): boolean {
  if (value === old) return true;
  if (!Array.isArray(value) || !Array.isArray(old)) return false;
  return value.length === old.length && value.every((each, at) => each === old[at]);
}
