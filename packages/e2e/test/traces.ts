import type { ServiceName } from "@canvass/processes";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Databases } from "./databases.ts";

/** PostgreSQL keeps deleted rows until it vacuums, and keeps its WAL (contract 7.12). */
const notSearched = new Set(["postgres"]);

interface Column {
  table: string;
  column: string;
  type: string;
}

const listColumns = `SELECT table_name AS "table", column_name AS "column", data_type AS type
  FROM information_schema.columns JOIN pg_tables ON tablename = table_name AND schemaname = table_schema
  WHERE table_schema = 'public'`;

/** Names of a service's tables that contain the text in any column. Reads bytes as text. */
export async function tablesWith(databases: Databases, service: ServiceName, text: string): Promise<string[]> {
  const columns = await databases.query<Column>(service, listColumns);
  const found: string[] = [];
  for (const [table, own] of Map.groupBy(columns, (each) => each.table)) {
    const read = own.map(({ column, type }) =>
      type === "bytea" ? `encode("${column}", 'escape')` : `"${column}"::text`,
    );
    const matches = read.map((value) => `${value} ILIKE $1`).join(" OR ");
    const rows = await databases.query(service, `SELECT FROM "${table}" WHERE ${matches} LIMIT 1`, [`%${text}%`]);
    if (rows.length > 0) found.push(`${service}.${table}`);
  }
  return found;
}

/** Files below a folder that contain the text, even if compressed: logs, mails, exports, the broker's store. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (!entry.isFile() || notSearched.has(name.split("/", 1)[0]!)) continue;
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (unpacked(bytes).toString("latin1").toLowerCase().includes(text.toLowerCase())) found.push(name);
  }
  return found;
}

function unpacked(bytes: Buffer): Buffer {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}
