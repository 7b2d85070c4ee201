import { waitFor } from "@canvass/testing";
import { Pool } from "pg";
import { expect } from "vitest";

const services = ["token", "survey", "response", "distribution", "webhook", "delivery"] as const;
export type ServiceName = (typeof services)[number];

/** The databases of a running system, seen by its administrator. */
export interface Databases extends AsyncDisposable {
  query<Row extends object>(service: ServiceName, sql: string): Promise<Row[]>;
  /** How many rows each table has, by `<service>.<table>`, once every event so far has had its effect. */
  countRows(): Promise<Record<string, number>>;
  /** The same with a digest of what the rows hold, so that a change of one value shows too. */
  fingerprint(): Promise<Record<string, string>>;
}

/** `databaseUrl` is the administrator's, as `local.json` gives it. Lost connections are opened again. */
export function openDatabases(databaseUrl: string): Databases {
  const pools = new Map(services.map((name) => [name, openPool(databaseUrl, name)]));

  async function query<Row extends object>(service: ServiceName, sql: string): Promise<Row[]> {
    const { rows } = await pools.get(service)!.query<Row>(sql);
    return rows;
  }

  async function ofEachTable<Value>(read: (service: ServiceName, table: string) => Promise<Value>) {
    await waitFor(outboxesAreEmpty, { describe: "every event to be confirmed", timeoutMs: 30_000 });
    const result: Record<string, Value> = {};
    for (const service of services) {
      for (const table of await tablesOf(service)) result[`${service}.${table}`] = await read(service, table);
    }
    return result;
  }

  async function tablesOf(service: ServiceName): Promise<string[]> {
    const rows = await query<{ tablename: string }>(service, listTables);
    return rows.map(({ tablename }) => tablename);
  }

  async function outboxesAreEmpty(): Promise<boolean> {
    for (const service of services) {
      if (!(await tablesOf(service)).includes("outbox_events")) continue;
      const [row] = await query<{ count: number }>(service, "SELECT count(*)::int AS count FROM outbox_events");
      if (row!.count > 0) return false;
    }
    return true;
  }

  return {
    query,
    countRows: () =>
      ofEachTable(async (service, table) => {
        const [row] = await query<{ count: number }>(service, `SELECT count(*)::int AS count FROM "${table}"`);
        return row!.count;
      }),
    fingerprint: () =>
      ofEachTable(async (service, table) => {
        const [row] = await query<{ digest: string }>(service, digest(table));
        return row!.digest;
      }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

/** Makes calls and asserts that none of them changed a row of any database. */
export async function withoutTrace<Result>(databases: Databases, calls: () => Promise<Result>): Promise<Result> {
  const before = await databases.fingerprint();
  const result = await calls();
  expect(await databases.fingerprint()).toEqual(before);
  return result;
}

// When a token was used last is written for every request, and says nothing about what the request wrote.
const listTables = `
  SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'token_uses' ORDER BY tablename`;

const digest = (table: string) => `
  SELECT count(*) || ' ' || coalesce(md5(string_agg(line, E'\\n' ORDER BY line)), '') AS digest
  FROM (SELECT to_jsonb(t)::text AS line FROM "${table}" t) AS lines`;

function openPool(databaseUrl: string, service: ServiceName): Pool {
  const url = new URL(databaseUrl);
  url.pathname = `/canvass_${service}`;
  const pool = new Pool({ connectionString: url.href, max: 1 });
  // A server that is stopped takes idle connections with it; the next query opens a new one.
  pool.on("error", () => undefined);
  return pool;
}
