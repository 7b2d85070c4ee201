import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openEngineConnection } from "./engine-connection.ts";
import { LOCK_CONTENT, LOCK_FILE, readMigrationList } from "./migration-list.ts";
import { createSchemaEngine, NO_FILTER } from "./schema-engine.ts";

export interface WriteMigrationOptions {
  /** Any database on a server where the role may create databases. */
  scratchUrl: string;
  schema: string;
  migrationsDir: string;
  name: string;
  now: Date;
}

const DIFFERENT = 2;

/** Writes the difference from migrations to schema as a migration. Returns its path, or undefined if there is none. */
export async function writeMigration(options: WriteMigrationOptions): Promise<string | undefined> {
  const { scratchUrl, schema, migrationsDir, name } = options;
  await mkdir(migrationsDir, { recursive: true });
  const migrationsList = await readMigrationList(migrationsDir);
  await using connection = openEngineConnection(scratchUrl);
  // Connect first: the engine hides why a connection fails.
  await connection.query("SELECT 1");
  const engine = await createSchemaEngine(connection.factory, schema);
  try {
    const { stdout, exitCode } = await engine.diff({
      from: { tag: "migrations", ...migrationsList },
      to: { tag: "schemaDatamodel", files: [{ path: "schema.prisma", content: schema }] },
      script: true,
      exitCode: true,
      filters: NO_FILTER,
    });
    if (exitCode !== DIFFERENT) return undefined;
    return await save(migrationsDir, `${timestamp(options.now)}_${name}`, stdout ?? "");
  } catch (cause) {
    const reason = connection.scriptError() ?? (cause as Error);
    throw new Error(`No migration could be written: ${reason.message}`, { cause });
  } finally {
    engine.free();
  }
}

async function save(migrationsDir: string, folder: string, script: string): Promise<string> {
  const file = join(migrationsDir, folder, "migration.sql");
  await mkdir(join(migrationsDir, folder));
  await writeFile(file, `${script.trimEnd()}\n`);
  await writeFile(join(migrationsDir, LOCK_FILE), LOCK_CONTENT);
  return file;
}

/** yyyymmddhhmmss in UTC, as in Prisma's folder names. */
function timestamp(now: Date): string {
  return now.toISOString().replaceAll(/\D/g, "").slice(0, 14);
}
