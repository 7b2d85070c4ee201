import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { Pool } from "pg";
import { expectLostConnections } from "../expect-lost-connections.ts";
import { queryWithCharacters, tolerateCharacterColumns } from "./character-columns.ts";

/** One session, shared by the schema engine and our own statements. */
export interface EngineConnection extends AsyncDisposable {
  factory: SqlMigrationAwareDriverAdapterFactory;
  query<Row>(text: string, params?: unknown[]): Promise<Row[]>;
  /** The database's error for the last script that failed. */
  scriptError(): Error | undefined;
}

/** Prisma's adapter, except that it sends scripts whole, reads "char" columns as text and creates a shadow database. */
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
  expectLostConnections(pool);
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
      // Prisma's adapter would split the script at semicolons, even inside strings.
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
