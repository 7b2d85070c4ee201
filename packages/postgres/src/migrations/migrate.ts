import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { MigrationDirectory, MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";
import { openEngineConnection } from "./engine-connection.ts";
import type { EngineConnection } from "./engine-connection.ts";
import { readMigrationList, scriptOf } from "./migration-list.ts";
import { createSchemaEngine, NO_FILTER } from "./schema-engine.ts";

export interface MigrateOptions {
  /** The role must be allowed to create tables. No connection pooler. */
  url: string;
  migrationsDir: string;
}

/** Key of the advisory lock that Prisma's own commands take. */
const PRISMA_LOCK = 72707369;

/** Applies missing migrations in order and returns their names. Throws if an applied migration was edited. */
export async function migrate({ url, migrationsDir }: MigrateOptions): Promise<string[]> {
  const list = await readMigrationList(migrationsDir);
  await using connection = openEngineConnection(url);
  // Ends a long statement soon after its client is gone. Some systems do not support this and refuse it.
  await connection.query("SET client_connection_check_interval = '1s'").catch(() => {});
  await takeLock(connection);
  const pending = await pendingMigrations(connection, list);
  if (pending.length === 0) return [];
  const engine = await createSchemaEngine(connection.factory);
  try {
    for (const migration of pending) await applyOne(connection, engine, list, migration);
  } finally {
    engine.free();
  }
  return pending.map(({ path }) => path);
}

/** Polls: a session blocked in pg_advisory_lock would deadlock with CREATE INDEX CONCURRENTLY. */
async function takeLock(connection: EngineConnection): Promise<void> {
  for (;;) {
    const [row] = await connection.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [
      PRISMA_LOCK,
    ]);
    // Held until the session ends.
    if (row?.locked === true) return;
    await sleep(100);
  }
}

async function pendingMigrations(connection: EngineConnection, list: MigrationList): Promise<MigrationDirectory[]> {
  const [table] = await connection.query<{ found: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found",
  );
  if (table?.found !== true) return list.migrationDirectories;
  const rows = await connection.query<{ name: string; checksum: string }>(
    "SELECT migration_name AS name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  const checksums = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  return list.migrationDirectories.filter((migration) => {
    const applied = checksums.get(migration.path);
    if (applied === undefined) return true;
    if (applied === createHash("sha256").update(scriptOf(migration)).digest("hex")) return false;
    throw new Error(
      `The migration ${migration.path} was edited after it had been applied. Write a new migration instead.`,
    );
  });
}

const builtIndex = /^\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+("\w+"|\w+)\s+ON\b/im;

/** Outside a transaction, a failure or a kill leaves Prisma's record, which blocks later runs, and an invalid index. */
async function removeUnfinished(connection: EngineConnection, migration: MigrationDirectory): Promise<void> {
  const [, index] = builtIndex.exec(scriptOf(migration)) ?? [];
  if (index === undefined) throw new Error("with CONCURRENTLY it must be CREATE [UNIQUE] INDEX CONCURRENTLY name ON …");
  await connection.query("DELETE FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NULL", [
    migration.path,
  ]);
  await connection.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
}

async function applyOne(
  connection: EngineConnection,
  engine: SchemaEngine,
  list: MigrationList,
  migration: MigrationDirectory,
): Promise<void> {
  const until = list.migrationDirectories.indexOf(migration) + 1;
  const migrationsList = { ...list, migrationDirectories: list.migrationDirectories.slice(0, until) };
  // CONCURRENTLY cannot run in a transaction. Such a migration must be a single CREATE INDEX.
  const transactional = !/\bCONCURRENTLY\b/i.test(scriptOf(migration));
  try {
    if (transactional) await connection.query("BEGIN");
    else await removeUnfinished(connection, migration);
    await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    if (transactional) await connection.query("COMMIT");
  } catch (cause) {
    // The caller closes the connection, which rolls back.
    const reason = connection.scriptError() ?? (cause as Error);
    throw new Error(`The migration ${migration.path} failed: ${reason.message}`, { cause });
  }
}
