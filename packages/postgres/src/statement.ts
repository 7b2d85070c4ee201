import type { Sql } from "./sql.ts";

/** A statement ready to be sent. */
export interface Statement {
  text: string;
  params: readonly unknown[];
}

/** Sends statements in order, all before it returns. */
export async function sendAll(sql: Sql, statements: readonly Statement[]): Promise<void> {
  await Promise.all(statements.map(({ text, params }) => sql.query(text, params)));
}
