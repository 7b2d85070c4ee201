import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { Pool } from "pg";
import { queryWithCharacters, tolerateCharacterColumns } from "./character-columns.ts";

/** One session for the schema engine: what it says, and what we say around it, happens on the same connection. */
export interface EngineConnection extends AsyncDisposable {
  factory: SqlMigrationAwareDriverAdapterFactory;
  query<Row>(text: string, params?: unknown[]): Promise<Row[]>;
  /** The database's own words about the last script that failed; the engine wraps them in its stack. */
  scriptError(): Error | undefined;
}

/**
 * Prisma's adapter with three changes. Scripts go to the server whole: the original cuts them at every semicolon, also
 * inside strings and function bodies. The catalogue's one-character columns are read as text: the original refuses
 * them, and with them every existing table. And the shadow database is one we create and drop ourselves.
 */
export function openEngineConnection(url: string): EngineConnection {
  const pool = singleSession(url);
  let failure: Error | undefined;
  const onScriptError = (error: Error) => (failure = error);
  return {
    factory: {
      provider: "postgres",
      adapterName: "@prisma/adapter-pg",
      connect: () => adapt(pool, onScriptError, async () => {}),
      connectToShadowDb: () => connectToShadow(pool, url, onScriptError),
    },
    query: async <Row>(text: string, params?: unknown[]) => (await pool.query(text, params)).rows as Row[],
    scriptError: () => failure,
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

function singleSession(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 10_000,
    application_name: "canvass-migrate",
    options: "-c TimeZone=UTC",
  });
  pool.on("error", () => {});
  tolerateCharacterColumns(pool);
  return pool;
}

async function adapt(
  pool: Pool,
  onScriptError: (error: Error) => void,
  dispose: () => Promise<void>,
): Promise<SqlDriverAdapter> {
  const adapter = await new PrismaPg(pool).connect();
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: (query) => queryWithCharacters(adapter, query),
    executeRaw: (query) => adapter.executeRaw(query),
    startTransaction: (isolation) => adapter.startTransaction(isolation),
    getConnectionInfo: () => adapter.getConnectionInfo(),
    dispose,
    async executeScript(script) {
      await pool.query(script).catch((error: Error) => {
        onScriptError(error);
        throw error;
      });
    },
  };
}

async function connectToShadow(
  pool: Pool,
  url: string,
  onScriptError: (error: Error) => void,
): Promise<SqlDriverAdapter> {
  const name = `canvass_shadow_${randomUUID().replaceAll("-", "")}`;
  await pool.query(`CREATE DATABASE ${name}`);
  const shadowUrl = new URL(url);
  shadowUrl.pathname = `/${name}`;
  const shadow = singleSession(shadowUrl.href);
  return adapt(shadow, onScriptError, async () => {
    await shadow.end();
    await pool.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}
