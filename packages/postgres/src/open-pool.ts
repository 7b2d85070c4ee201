import type { Socket } from "node:net";
import { Pool, type PoolClient } from "pg";
import { expectLostConnections } from "./expect-lost-connections.ts";

export interface OpenPoolOptions {
  url: string;
  poolSize: number;
  /** Shown in pg_stat_activity: the service's name. */
  applicationName: string;
  /** Milliseconds after which the server cancels a statement. Default 10,000. */
  statementTimeoutMs?: number;
  /** Milliseconds of silence until a server that owes a response is gone. Default `statementTimeoutMs` + 5,000. */
  unresponsiveMs?: number;
  /** Milliseconds after which the server ends an idle transaction. Default one minute. */
  idleInTransactionMs?: number;
  /** Milliseconds to wait for a new or pooled connection. Default 5,000. */
  connectTimeoutMs?: number;
  /** `fresh` plans each time. `kept` plans once, without sequential scans; for statements by key. Default fresh. */
  plans?: "fresh" | "kept";
  /** Milliseconds after which kept plans are discarded. Default 5,000. */
  plansKeptMs?: number;
  /** Minimum of connections to keep open. Default 1, so that a single request finds one open. */
  kept?: number;
  onConnectionLost?: (error: Error) => void;
  /** Called with the socket of each new connection, a TLSSocket if the URL asks for TLS. */
  onConnected?: (socket: Socket) => void;
}

export interface OpenPool extends AsyncDisposable {
  pool: Pool;
}

/** Prisma sends dates without a zone, so they depend on the session's time zone. */
const UTC = "-c TimeZone=UTC";

/** A sequential scan, cached while a table was small, would be ruinous later. Planning each time costs 0.1 ms. */
const SESSION_SETTINGS = {
  fresh: `${UTC} -c plan_cache_mode=force_custom_plan`,
  kept:
    `${UTC} -c plan_cache_mode=force_generic_plan -c jit=off ` +
    "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off",
};

/** Discards cached plans from time to time: a plan made while a table is small may use a poor index. */
function planAnew(keptMs: number): (client: PoolClient) => void {
  const plannedSince = new WeakMap<PoolClient, number>();
  return (client) => {
    const now = performance.now();
    const since = plannedSince.get(client);
    if (since !== undefined && now - since < keptMs) return;
    plannedSince.set(client, now);
    // If the connection is broken, the statement that follows fails, too.
    if (since !== undefined) client.query("DISCARD PLANS").catch(() => undefined);
  };
}

/** Opens a connection pool, which connects on first use. Every session runs in UTC. */
export function openPool(options: OpenPoolOptions): OpenPool {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000;
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? 60_000,
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    // Closes connections soon after a burst.
    idleTimeoutMillis: 10_000,
    min: options.kept ?? 1,
    keepAlive: true,
    // Sends concurrent statements of a connection together: one round trip instead of one each.
    pipeline: true,
    options: SESSION_SETTINGS[options.plans ?? "fresh"],
  });
  // A live server responds sooner, because of its own statement timeout.
  pool.on("connect", (client) => endWhenUnresponsive(client, options.unresponsiveMs ?? statementTimeoutMs + 5000));
  pool.on("connect", ({ connection }) => options.onConnected?.(connection.stream as Socket));
  if (options.plans === "kept") pool.on("acquire", planAnew(options.plansKeptMs ?? 5000));
  expectLostConnections(pool, options.onConnectionLost);
  return { pool, [Symbol.asyncDispose]: () => pool.end() };
}

/** Closes a connection whose server owes a response but sends nothing for `unresponsiveMs`. */
function endWhenUnresponsive(client: PoolClient, unresponsiveMs: number): void {
  const stream = client.connection.stream as Socket;
  // pg's `query_timeout` would retain each statement's memory until a full garbage collection.
  stream.setTimeout(unresponsiveMs, () => {
    if (!(client as unknown as { readyForQuery: boolean }).readyForQuery) stream.destroy();
  });
}
