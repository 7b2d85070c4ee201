import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { migrate } from "@canvass/postgres/migrate";
import { Client } from "pg";
import { withDatabase } from "./with-database.ts";

/** By folder, whose content stays the same during a run. */
const known = new Map<string, string>();

/**
 * Returns the name of a migrated template database, which depends on the folder's path and content. One test worker
 * creates it, others wait.
 */
export async function ensureTemplate(adminUrl: string, migrationsDir: string): Promise<string> {
  const name = known.get(migrationsDir) ?? (await findOrCreate(adminUrl, migrationsDir));
  known.set(migrationsDir, name);
  return name;
}

async function findOrCreate(adminUrl: string, migrationsDir: string): Promise<string> {
  const digest = await digestOfFolder(migrationsDir);
  const name = `template_${digest.toString("hex").slice(0, 20)}`;
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    if (await isFinished(client, name)) return name;
    // A session lock, released when the session ends or dies.
    await client.query("SELECT pg_advisory_lock($1)", [digest.readBigInt64BE().toString()]);
    if (await isFinished(client, name)) return name;
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name} STRATEGY FILE_COPY`);
    await migrate({ url: withDatabase(adminUrl, name), migrationsDir });
    // Marks it complete. Only a database without connections can be copied.
    await client.query(`ALTER DATABASE ${name} IS_TEMPLATE true ALLOW_CONNECTIONS false`);
    return name;
  } finally {
    await client.end();
  }
}

async function isFinished(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate", [name]);
  return rows.length > 0;
}

async function digestOfFolder(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digest = createHash("sha256").update(folder);
  for (const file of files.sort()) digest.update(`\0${file}\0`).update(await readFile(file));
  return digest.digest();
}
