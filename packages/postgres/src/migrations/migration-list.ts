import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MigrationDirectory, MigrationList } from "@prisma/schema-engine-wasm/schema_engine_bg";

export const LOCK_FILE = "migration_lock.toml";
export const LOCK_CONTENT = 'provider = "postgresql"\n';
const SCRIPT_FILE = "migration.sql";

/** Reads a Prisma migrations folder (`<time>_<name>/migration.sql`), oldest first. Throws if it is missing. */
export async function readMigrationList(migrationsDir: string): Promise<MigrationList> {
  const entries = await readdir(migrationsDir, { withFileTypes: true }).catch((cause: Error) => {
    throw new Error(`The migrations folder ${migrationsDir} cannot be read: ${cause.message}.`, { cause });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrationDirectories = await Promise.all(names.sort().map((name) => readMigration(migrationsDir, name)));
  const lockfile = { path: LOCK_FILE, content: LOCK_CONTENT };
  return { baseDir: migrationsDir, lockfile, shadowDbInitScript: "", migrationDirectories };
}

async function readMigration(migrationsDir: string, name: string): Promise<MigrationDirectory> {
  const script = await readFile(join(migrationsDir, name, SCRIPT_FILE), "utf8").catch((cause: Error) => {
    throw new Error(`The migration ${name} has no readable ${SCRIPT_FILE}.`, { cause });
  });
  return { path: name, migrationFile: { path: SCRIPT_FILE, content: { tag: "ok", value: script } } };
}

export function scriptOf(migration: MigrationDirectory): string {
  const { content } = migration.migrationFile;
  if (content.tag === "error") throw new Error(content.value);
  return content.value;
}
