import type { Sql } from "@canvass/postgres";

/** Data that moves with a workspace to another installation. Lists every table with a `workspace_id`. */
export interface WorkspaceTransfer {
  /** In an order that satisfies foreign keys. The housekeeping tables are added. */
  moved: readonly MovedTable[];
  /** Tables that do not move, with the reason. */
  left?: Readonly<Record<string, string>>;
  files?: MovedFiles | undefined;
}

export interface MovedTable {
  table: string;
  /** Condition for the rows of workspace `$1`. Default: by `workspace_id`. */
  where?: string;
  /** Rows shared between workspaces. An existing row with the same `known` column replaces the imported one. */
  shared?: { key: string; known: string };
  /** Columns that refer to rows of a shared table, with that table's name. */
  refers?: Readonly<Record<string, string>>;
  sealed?: SealedColumn;
  /** Columns that do not move; imported rows get the defaults. */
  omitted?: readonly string[];
}

/** A `bytea` column encrypted with a key of the installation, in the export with the transfer's key. */
export interface SealedColumn {
  column: string;
  onExport: Reseal;
  onImport: Reseal;
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
  write: (key: string, chunks: AsyncIterable<Uint8Array>) => Promise<unknown>;
}

/** Sent first: an export with events under way is refused. */
const outbox: MovedTable = { table: "outbox_events" };

/**
 * Consumed events stay: no event under way moves, so none comes again, and no index finds those of a workspace. Files of
 * older versions have some.
 */
const consumed: MovedTable = { table: "consumed_events", where: "false AND workspace_id = $1" };

const housekeeping: readonly MovedTable[] = [consumed, { table: "poison_events" }, { table: "jobs" }];

const idempotency = {
  idempotency_records: "their bodies are compared by a key of the installation, and they expire within a day",
};

/** Adds the housekeeping tables that exist. Throws if a table is in neither list, so that none is forgotten. */
export async function readTransferTables(sql: Sql, { moved, left = {} }: WorkspaceTransfer): Promise<MovedTable[]> {
  const rows = await sql.query<{ table: string }>(
    `SELECT c.relname AS "table" FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'workspace_id'
     ORDER BY 1`,
  );
  const present = new Set(rows.map(({ table }) => table));
  const isAdded = ({ table }: MovedTable) => present.has(table) && !moved.some((each) => each.table === table);
  const tables = [...[outbox].filter(isAdded), ...moved, ...housekeeping.filter(isAdded)];
  const stays = { ...left, ...idempotency };
  const forgotten = [...present].filter((name) => !(name in stays) && !tables.some(({ table }) => table === name));
  if (forgotten.length === 0) return tables;
  throw new Error(`whether ${forgotten.join(", ")} move with a workspace stands nowhere`);
}
