import type { Canvass } from "@canvass/sdk";
import type { ValueSchema } from "../types/value-type.ts";
import type { AnswersSchema } from "../types/write-types.ts";
import type { Database } from "./open-database.ts";

type Element = { elementId: string; key: string; type: string; text: string | null; schema: ValueSchema };

/**
 * Describes the elements of all versions in tables, and makes the view `responses`, with a row for each respondent and a
 * column for each element, named by its key.
 */
export async function describeElements(canvass: Canvass, database: Database, surveyId: string): Promise<void> {
  const elements = await readElements(canvass, surveyId);
  const described = elements.map(({ elementId, key, type, text }) => ({ elementId, key, type, text }));
  const entries = elements.flatMap(({ elementId, schema }) =>
    [...entriesIn(schema)].map(([entryId, text]) => ({ elementId, entryId, text })),
  );
  const repeated = await database.read("SELECT DISTINCT element_id AS id FROM answers WHERE item_id IS NOT NULL");
  const repeats = new Set(repeated.map(({ id }) => String(id)));
  await database.transact(async () => {
    await database.run("DELETE FROM elements");
    await database.run("DELETE FROM entries");
    const rows = (shape: string) => `SELECT unnest(from_json($1::JSON, '[${shape}]'), recursive := true)`;
    const element = rows(`{"elementId":"VARCHAR","key":"VARCHAR","type":"VARCHAR","text":"VARCHAR"}`);
    await database.run(`INSERT INTO elements ${element}`, [JSON.stringify(described)]);
    const entry = rows(`{"elementId":"VARCHAR","entryId":"VARCHAR","text":"VARCHAR"}`);
    await database.run(`INSERT INTO entries ${entry}`, [JSON.stringify(entries)]);
    const columns = elements.map((each) => `, ${columnOf(each, repeats.has(each.elementId))}`).join("");
    await database.run(`CREATE OR REPLACE VIEW responses AS SELECT r.* EXCLUDE (walk), a.* EXCLUDE (respondent_id)
FROM respondents r LEFT JOIN (SELECT respondent_id${columns} FROM answers WHERE NOT off_path GROUP BY respondent_id) a USING (respondent_id)`);
  });
}

/** Elements of all versions, those of the newest first. One that took over a key has its column. */
async function readElements(canvass: Canvass, surveyId: string): Promise<Element[]> {
  const { publishedVersion } = await canvass.surveys.get(surveyId);
  const found = new Map<string, Element>();
  const names = new Set<string>();
  for (let version = publishedVersion ?? 0; version > 0; version--) {
    const { data } = await canvass.api.getAnswersSchema({ path: { surveyId }, query: { version } });
    const { oneOf, $defs } = data as unknown as AnswersSchema;
    for (const { title, properties } of oneOf) {
      const elementId = properties.elementId.const;
      if (found.has(elementId)) continue;
      const key = names.has(title) ? `${title}_${elementId}` : title;
      const schema = $defs[title] ?? {};
      names.add(key);
      found.set(elementId, { elementId, key, type: properties.type.const, text: schema.description ?? null, schema });
    }
  }
  return [...found.values()];
}

/** Texts of entries by id, wherever a schema names them. */
function* entriesIn(schema: unknown): Generator<[string, string]> {
  if (typeof schema !== "object" || schema === null) return;
  const { const: id, title } = schema as ValueSchema;
  if (typeof id === "string" && title !== undefined) yield [id, title];
  else for (const part of Object.values(schema)) yield* entriesIn(part);
}

function columnOf({ elementId, key, schema }: Element, repeats: boolean): string {
  const here = `FILTER (element_id = '${elementId}')`;
  const value = repeats ? `to_json(map(list(item_id) ${here}, list(value) ${here}))` : plainValue(schema, here);
  return `${value} AS "${key}"`;
}

function plainValue(schema: ValueSchema, here: string): string {
  const type = columnType(schema);
  return type === "JSON" ? `any_value(value) ${here}` : `any_value(value ->> '$') ${here}::${type}`;
}

function columnType({ type, anyOf }: ValueSchema): string {
  if (anyOf) return anyOf.every((variant) => columnType(variant) === "VARCHAR") ? "VARCHAR" : "JSON";
  const types: Record<string, string> = { string: "VARCHAR", boolean: "BOOLEAN", integer: "BIGINT", number: "DOUBLE" };
  return types[type ?? ""] ?? "JSON";
}
