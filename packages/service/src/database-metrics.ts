import type { Sql } from "@canvass/postgres";
import { measuredGauge, type Registry } from "@canvass/telemetry";
import type { Pool } from "pg";

/** The size changes slowly, and PostgreSQL reads file sizes from disk. */
const sizeEveryMs = 60_000;

/** Registers `db.client.connection.*` of the OpenTelemetry semantic conventions by pool, and the database size. */
export function registerDatabaseMetrics(metrics: Registry, pools: Readonly<Record<string, Pool>>, sql: Sql): void {
  showPools(metrics, pools);
  measuredGauge(metrics, {
    name: "canvass_database_size_bytes",
    help: "Size of the service's database, with its indexes",
    everyMs: sizeEveryMs,
    async measure() {
      const [row] = await sql.query<{ bytes: number }>("SELECT pg_database_size(current_database())::float8 AS bytes");
      return row!.bytes;
    },
  });
}

const poolLabel = "db_client_connection_pool_name";
const stateLabel = "db_client_connection_state";

function showPools(metrics: Registry, pools: Readonly<Record<string, Pool>>): void {
  const ofPools = (of: (pool: Pool) => number) => () =>
    Object.entries(pools).map(([name, pool]) => ({ labels: { [poolLabel]: name }, value: of(pool) }));
  measuredGauge(metrics, {
    name: "db_client_connection_count",
    help: "Connections to the database that are open, by pool and state",
    labelNames: [poolLabel, stateLabel],
    measure: () =>
      Object.entries(pools).flatMap(([name, { totalCount, idleCount }]) => [
        { labels: { [poolLabel]: name, [stateLabel]: "idle" }, value: idleCount },
        { labels: { [poolLabel]: name, [stateLabel]: "used" }, value: totalCount - idleCount },
      ]),
  });
  measuredGauge(metrics, {
    name: "db_client_connection_max",
    help: "Connections that a pool may open",
    labelNames: [poolLabel],
    measure: ofPools((pool) => pool.options.max),
  });
  measuredGauge(metrics, {
    name: "db_client_connection_pending_requests",
    help: "Requests that wait for a connection of a pool",
    labelNames: [poolLabel],
    measure: ofPools((pool) => pool.waitingCount),
  });
}
