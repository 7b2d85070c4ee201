import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { withDatabase } from "./with-database.ts";
import { ensureTemplate } from "./template-database.ts";
import { testServerUrl } from "./test-server-url.ts";

const IN_USE = "55006";

export interface TestDatabase extends AsyncDisposable {
  url: string;
}

/** Superuser URL of the run's PostgreSQL server, which is deleted after the run. */
export function testPostgresUrl(): Promise<string> {
  return testServerUrl("postgres");
}

/** Copies a template that is migrated once per run. Disposing drops the database, even with open connections. */
export async function createTestDatabase(migrationsDir: string): Promise<TestDatabase> {
  const adminUrl = await testPostgresUrl();
  const name = `test_${randomBytes(8).toString("hex")}`;
  const template = await ensureTemplate(adminUrl, migrationsDir);
  // Copies files: by default PostgreSQL logs each page, which takes eight times the CPU.
  await run(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return {
    url: withDatabase(adminUrl, name),
    [Symbol.asyncDispose]: () => drop(adminUrl, name),
  };
}

async function drop(adminUrl: string, name: string): Promise<void> {
  try {
    // Waits for closing connections: with FORCE their pools would report an error.
    await run(adminUrl, `DROP DATABASE IF EXISTS ${name}`);
  } catch (error) {
    if ((error as { code?: string }).code !== IN_USE) throw error;
    await run(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

/** One connection per worker, because opening one costs more than copying a database. */
let administrators: Pool | undefined;

async function run(url: string, statement: string): Promise<void> {
  administrators ??= administratorsOf(url);
  await administrators.query(statement);
}

function administratorsOf(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 1, allowExitOnIdle: true });
  // The server may end before the worker.
  pool.on("error", () => {});
  return pool;
}
