import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";
import { migrate } from "../src/migrations/migrate.ts";

export interface ScratchDatabase extends AsyncDisposable {
  url: string;
  /** One statement on a connection of its own. */
  query<Row>(text: string, params?: unknown[]): Promise<Row[]>;
}

export const FIXTURE_MIGRATIONS = `${import.meta.dirname}/fixture/prisma/migrations`;

/**
 * An empty database on the run's server, or one with the fixture's migrations. (@canvass/testing has this too, but it
 * stands on this package.)
 */
export async function createScratchDatabase({ migrated }: { migrated: boolean }): Promise<ScratchDatabase> {
  const adminUrl = await (await fetch(`${inject("testServerDoor")}/postgres`)).text();
  const name = `scratch_${randomBytes(8).toString("hex")}`;
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await query(adminUrl, `CREATE DATABASE ${name} STRATEGY FILE_COPY`);
  if (migrated) await migrate({ url: url.href, migrationsDir: FIXTURE_MIGRATIONS });
  return {
    url: url.href,
    query: (text, params) => query(url.href, text, params),
    async [Symbol.asyncDispose]() {
      await query(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function query<Row>(url: string, text: string, params?: unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, params)).rows as Row[];
  } finally {
    await client.end();
  }
}
