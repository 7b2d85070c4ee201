import type { ValueSchema } from "../types/value-type.ts";
import type { Database } from "./open-database.ts";
import type { Element } from "./read-elements.ts";

/**
 * Describes the elements of all versions in tables, and makes the view `responses`, with a row for each respondent and
 * a column for each element, named by its name, or by its key where it has none.
 */
export async function describeElements(database: Database, elements: readonly Element[]): Promise<void> {
  const named = await nameColumns(database, elements);
  const described = named.map(({ elementId, column, type, text }) => ({ elementId, column, type, text }));
  const entries = elements.flatMap(({ elementId, schema }) =>
    [...entriesIn(schema)].map(([entryId, text]) => ({ elementId, entryId, text })),
  );
  const repeated = await database.read("SELECT DISTINCT element_id AS id FROM answers WHERE item_id IS NOT NULL");
  const repeats = new Set(repeated.map(({ id }) => id));
  await database.transact(async () => {
    await database.run("DELETE FROM elements");
    await database.run("DELETE FROM entries");
    const rows = (shape: string) => `SELECT unnest(from_json($1::JSON, '[${shape}]'), recursive := true)`;
    const element = rows(`{"elementId":"VARCHAR","column":"VARCHAR","type":"VARCHAR","text":"VARCHAR"}`);
    await database.run(`INSERT INTO elements ${element}`, [JSON.stringify(described)]);
    const entry = rows(`{"elementId":"VARCHAR","entryId":"VARCHAR","text":"VARCHAR"}`);
    await database.run(`INSERT INTO entries ${entry}`, [JSON.stringify(entries)]);
    const columns = named.map((each) => `, ${columnOf(each, repeats.has(each.elementId))}`).join("");
    await database.run(`CREATE OR REPLACE VIEW responses AS SELECT r.* EXCLUDE (walk), a.* EXCLUDE (respondent_id)
FROM respondents r LEFT JOIN (SELECT respondent_id${columns} FROM answers WHERE NOT off_path GROUP BY respondent_id) a USING (respondent_id)`);
  });
}

type NamedElement = Element & { column: string };

/** If a newer element or a column of `respondents` has the same key, the element's id is appended. */
async function nameColumns(database: Database, elements: readonly Element[]): Promise<NamedElement[]> {
  const own = await database.read("SELECT column_name AS name FROM (DESCRIBE respondents)");
  const taken = new Set(own.map(({ name }) => name));
  return elements.map((element) => {
    const { key, elementId } = element;
    // DuckDB takes names that differ in case for the same.
    const column = taken.has(key.toLowerCase()) ? `${key}_${elementId}` : key;
    taken.add(column.toLowerCase());
    return { ...element, column };
  });
}

/** Texts of entries by id, wherever a schema names them. */
function* entriesIn(schema: unknown): Generator<[string, string]> {
  if (typeof schema !== "object" || schema === null) return;
  const { const: id, title } = schema as ValueSchema;
  if (typeof id === "string" && title !== undefined) yield [id, title];
  else for (const part of Object.values(schema)) yield* entriesIn(part);
}

function columnOf({ elementId, column, schema }: NamedElement, repeats: boolean): string {
  const here = `FILTER (element_id = '${elementId.replaceAll("'", "''")}')`;
  const value = repeats
    ? `to_json(map(list(coalesce(item_id, '')) ${here}, list(value) ${here}))`
    : plainValue(schema, here);
  return `${value} AS "${column.replaceAll('"', '""')}"`;
}

function plainValue(schema: ValueSchema, here: string): string {
  const type = columnType(schema);
  return type === "JSON" ? `any_value(value) ${here}` : `any_value(value ->> '$') ${here}::${type}`;
}

function columnType({ const: only, type, anyOf }: ValueSchema): string {
  if (anyOf) return anyOf.every((variant) => columnType(variant) === "VARCHAR") ? "VARCHAR" : "JSON";
  const types: Record<string, string> = { string: "VARCHAR", boolean: "BOOLEAN", integer: "BIGINT", number: "DOUBLE" };
  return types[type ?? typeof only] ?? "JSON";
}
