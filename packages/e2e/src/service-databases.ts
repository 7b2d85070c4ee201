import { serviceNames, type ServiceName } from "@canvass/processes";
import { Pool } from "pg";

/** The databases of a running system, one for each service. */
export interface ServiceDatabases extends AsyncDisposable {
  query: <Row extends object>(service: ServiceName, sql: string, params?: unknown[]) => Promise<Row[]>;
  /** `["<service>.<table>: <rows>"]`; `[]` if the table is empty. */
  waitingIn(service: ServiceName, table: string): Promise<string[]>;
  /** The same for every outbox: events that a consumer has not confirmed. */
  unconfirmedEvents(): Promise<string[]>;
}

/** `databaseUrl` is the administrator's, from `local.json`. Reopens lost connections. */
export function openServiceDatabases(databaseUrl: string): ServiceDatabases {
  const pools = new Map(serviceNames.map((name) => [name, openPool(databaseUrl, name)]));

  async function query<Row extends object>(service: ServiceName, sql: string, params: unknown[] = []): Promise<Row[]> {
    return (await pools.get(service)!.query<Row>(sql, params)).rows;
  }

  async function waitingIn(service: ServiceName, table: string): Promise<string[]> {
    const [row] = await query<{ count: number }>(service, `SELECT count(*)::int AS count FROM "${table}"`);
    return row!.count === 0 ? [] : [`${service}.${table}: ${row!.count}`];
  }

  async function unconfirmedOf(service: ServiceName): Promise<string[]> {
    const [row] = await query<{ has: boolean }>(service, "SELECT to_regclass('outbox_events') IS NOT NULL AS has");
    return row!.has ? waitingIn(service, "outbox_events") : [];
  }

  return {
    query,
    waitingIn,
    unconfirmedEvents: async () => (await Promise.all(serviceNames.map(unconfirmedOf))).flat(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

function openPool(databaseUrl: string, service: ServiceName): Pool {
  const url = new URL(databaseUrl);
  url.pathname = `/canvass_${service}`;
  const pool = new Pool({ connectionString: url.href, max: 1 });
  // A stopped server closes idle connections; the next query opens a new one.
  pool.on("error", () => undefined);
  return pool;
}
