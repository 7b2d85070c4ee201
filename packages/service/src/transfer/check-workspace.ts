import type { Sql } from "@canvass/postgres";
import type { TableShape } from "@canvass/proto/transfer";
import { readTableShape, quoted } from "./table-shape.ts";
import { readTransferTables, type MovedTable, type WorkspaceTransfer } from "./workspace-transfer.ts";

/**
 * Returns the reasons against importing a workspace here, in words: tables and columns of `shapes` that are unknown,
 * and tables that have rows of the workspace already.
 */
export async function findTransferFaults(
  sql: Sql,
  transfer: WorkspaceTransfer,
  workspaceId: string,
  shapes: readonly Pick<TableShape, "table" | "columns">[],
): Promise<string[]> {
  const tables = await readTransferTables(sql, transfer);
  const faults: string[] = [];
  for (const shape of shapes) faults.push(...(await validateShape(sql, tables, shape)));
  for (const { table } of tables.filter(({ where }) => where === undefined)) {
    if (await hasRows(sql, table, workspaceId)) faults.push(`${table} has rows of this workspace already`);
  }
  return faults;
}

async function validateShape(
  sql: Sql,
  tables: readonly MovedTable[],
  { table, columns }: Pick<TableShape, "table" | "columns">,
): Promise<string[]> {
  if (!tables.some((each) => each.table === table)) return [`the table ${table} is not known here`];
  const here = await readTableShape(sql, table);
  const unknown = columns.filter((column) => !here.columns.includes(column));
  return unknown.length === 0 ? [] : [`${table} has no ${unknown.join(", ")} here`];
}

async function hasRows(sql: Sql, table: string, workspaceId: string): Promise<boolean> {
  const [row] = await sql.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM ${quoted(table)} WHERE workspace_id = $1) AS found`,
    [workspaceId],
  );
  return row!.found;
}
