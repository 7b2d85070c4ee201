import type { Sql } from "./sql.ts";

export interface Statement {
  text: string;
  params: readonly unknown[];
}

export async function sendAll(sql: Sql, statements: readonly Statement[]): Promise<void> {
  await Promise.all(statements.map(({ text, params }) => sql.query(text, params)));
}
