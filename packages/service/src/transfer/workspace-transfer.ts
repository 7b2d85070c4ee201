import type { Sql } from "@canvass/postgres";

/** What a service sends along when a workspace moves to another installation. A table with a `workspace_id` is moved or left. */
export interface WorkspaceTransfer {
  /** In an order in which each finds the rows that it refers to; the housekeeping tables are added. */
  moved: readonly MovedTable[];
  /** Tables that stay, each with the reason. */
  left?: Readonly<Record<string, string>>;
  files?: MovedFiles | undefined;
}

export interface MovedTable {
  table: string;
  /** Which rows belong to the workspace `$1`. Default: those with its `workspace_id`. */
  where?: string;
  /** The rows belong to other workspaces, too. One that is there by its `known` column takes the place of the one that comes. */
  shared?: { key: string; known: string };
  /** Columns that name rows of a shared table, by that table. */
  refers?: Readonly<Record<string, string>>;
  sealed?: SealedColumn;
  /** Columns that do not move: their rows arrive with the defaults. */
  omitted?: readonly string[];
}

/** A `bytea` under a key of the installation. The file has it under the transfer's key. */
export interface SealedColumn {
  column: string;
  leave: Reseal;
  arrive: Reseal;
}

export type Reseal = (
  sql: Sql,
  sealed: Uint8Array,
  row: Readonly<Record<string, unknown>>,
  transferKey: Uint8Array,
) => Promise<Uint8Array>;

/** Files whose keys have the workspace's id as the second part. */
export interface MovedFiles {
  keys: (sql: Sql, workspaceId: string) => Promise<string[]>;
  read: (key: string) => AsyncIterable<Uint8Array>;
  isMissing: (error: unknown) => boolean;
  write: (key: string, pieces: AsyncIterable<Uint8Array>) => Promise<unknown>;
}

/** Events under way arrive where the workspace is then, and what was consumed counts once there, too. */
const housekeeping = ["outbox_events", "consumed_events", "poison_events", "jobs"];

const idempotency = {
  idempotency_records: "their bodies are compared by a key of the installation, and they expire within a day",
};

/** With the housekeeping tables that the service has. Throws for a table that is in neither list: nothing is forgotten silently. */
export async function readTransferTables(sql: Sql, { moved, left = {} }: WorkspaceTransfer): Promise<MovedTable[]> {
  const rows = await sql.query<{ table: string }>(
    `SELECT c.relname AS "table" FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'workspace_id'
     ORDER BY 1`,
  );
  const present = new Set(rows.map(({ table }) => table));
  const added = housekeeping.filter((name) => present.has(name) && !moved.some(({ table }) => table === name));
  const tables = [...moved, ...added.map((table) => ({ table }))];
  const stays = { ...left, ...idempotency };
  const forgotten = [...present].filter((name) => !(name in stays) && !tables.some(({ table }) => table === name));
  if (forgotten.length === 0) return tables;
  throw new Error(`whether ${forgotten.join(", ")} move with a workspace stands nowhere`);
}
