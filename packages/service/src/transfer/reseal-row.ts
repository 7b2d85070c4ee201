import type { Sql } from "@canvass/postgres";
import type { MovedTable } from "./workspace-transfer.ts";

/** Encrypts the sealed column with another key. Takes and returns the row as JSON text. */
export async function resealRow(
  sql: Sql,
  text: string,
  sealed: NonNullable<MovedTable["sealed"]>,
  when: "onExport" | "onImport",
  transferKey: Uint8Array,
): Promise<string> {
  const row = JSON.parse(text) as Record<string, unknown>;
  const bytes = Buffer.from(String(row[sealed.column]).slice("\\x".length), "hex");
  const anew = await sealed[when](sql, bytes, row, transferKey);
  return JSON.stringify({ ...row, [sealed.column]: `\\x${Buffer.from(anew).toString("hex")}` });
}
