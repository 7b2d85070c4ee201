import { serviceNames, type ServiceName } from "@canvass/processes";
import { Pool } from "pg";

/** What waits in the databases of a system. */
export interface Queues extends AsyncDisposable {
  /** Names of the queues that are not empty, with their lengths. */
  waiting(): Promise<string[]>;
  query<Row extends object>(service: ServiceName, sql: string): Promise<Row[]>;
}

const QUEUES: readonly (readonly [ServiceName, string])[] = [
  ...(["token", "survey", "response", "webhook", "delivery"] as const).map(
    (service) => [service, "outbox_events"] as const,
  ),
  ["delivery", "due_deliveries"],
  ["delivery", "disable_requests"],
];

export function openQueues(databaseUrl: string): Queues {
  const pools = new Map(serviceNames.map((name) => [name, openPool(databaseUrl, name)]));

  async function query<Row extends object>(service: ServiceName, sql: string): Promise<Row[]> {
    return (await pools.get(service)!.query<Row>(sql)).rows;
  }

  return {
    query,
    async waiting() {
      const lengths = await Promise.all(
        QUEUES.map(async ([service, table]) => {
          const [row] = await query<{ count: number }>(service, `SELECT count(*)::int AS count FROM ${table}`);
          return row!.count === 0 ? [] : [`${service}.${table}: ${row!.count}`];
        }),
      );
      return lengths.flat();
    },
    async [Symbol.asyncDispose]() {
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
