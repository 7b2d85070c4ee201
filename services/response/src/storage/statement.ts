import type { Sql } from "@canvass/postgres";

/** A statement ready to be sent. */
export interface Statement {
  text: string;
  params: readonly unknown[];
}

/** Sends statements together, in order. */
export async function sendAll(sql: Sql, statements: readonly Statement[]): Promise<void> {
  await Promise.all(statements.map(({ text, params }) => sql.query(text, params)));
}
