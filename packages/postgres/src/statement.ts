import { createYielder } from "@canvass/fairness";
import type { Sql } from "./sql.ts";

export interface Statement {
  text: string;
  params: readonly unknown[];
}

export async function sendAll(sql: Sql, statements: readonly Statement[]): Promise<void> {
  await Promise.all(statements.map(({ text, params }) => sql.query(text, params)));
}

/** Rows serialized at once: a thousand wide ones would hold the event loop. */
const chunkRows = 50;

/** Serializes rows for one parameter of a statement (`json_to_recordset`). Yields between chunks. */
export async function rowsAsJson(rows: Iterable<object>): Promise<string> {
  const yieldIfDue = createYielder();
  const all = [...rows];
  const chunks: string[] = [];
  for (let from = 0; from < all.length; from += chunkRows) {
    await yieldIfDue();
    chunks.push(JSON.stringify(all.slice(from, from + chunkRows)).slice(1, -1));
  }
  return `[${chunks.join(",")}]`;
}
