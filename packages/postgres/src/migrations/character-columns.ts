import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { SqlDriverAdapter, SqlQuery, SqlResultSet } from "@prisma/driver-adapter-utils";
import type { Pool, QueryResult } from "pg";

const CHAR_OID = 18;
const TEXT_OID = 25;

const characterColumns = new WeakMap<object, number[]>();

/** Makes a pool return the catalog's "char" columns, which Prisma's adapter rejects, as text, and records them. */
export function tolerateCharacterColumns(pool: Pool): void {
  const query = pool.query.bind(pool) as (...words: unknown[]) => Promise<QueryResult | QueryResult[]>;
  const tolerant = async (...words: unknown[]) => {
    const result = await query(...words);
    // A script of several statements returns a list of results.
    if (!Array.isArray(result)) disguise(result);
    return result;
  };
  pool.query = tolerant as typeof pool.query;
}

function disguise(result: QueryResult): void {
  const columns = result.fields.flatMap((field, index) => (field.dataTypeID === CHAR_OID ? [index] : []));
  for (const field of result.fields) if (field.dataTypeID === CHAR_OID) field.dataTypeID = TEXT_OID;
  characterColumns.set(result.rows, columns);
}

export async function queryWithCharacters(adapter: SqlDriverAdapter, query: SqlQuery): Promise<SqlResultSet> {
  const result = await adapter.queryRaw(query);
  const columnTypes = [...result.columnTypes];
  for (const index of characterColumns.get(result.rows) ?? []) columnTypes[index] = ColumnTypeEnum.Character;
  return { ...result, columnTypes };
}
