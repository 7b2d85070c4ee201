import type { Socket } from "node:net";
import { Pool, type PoolClient } from "pg";
import { endWhenSilent } from "./end-when-silent.ts";
import { expectLostConnections } from "./expect-lost-connections.ts";

export interface OpenPoolOptions {
  url: string;
  /** Connections at most, shared by all that use the pool. */
  poolSize: number;
  /** Shown in pg_stat_activity; the service's name. */
  applicationName: string;
  /** Milliseconds after which the server cancels a statement. Default 10,000. */
  statementTimeoutMs?: number;
  /** Milliseconds without a byte after which a server that owes an answer is taken for gone. Default 5,000 more than that. */
  silentMs?: number;
  /** Milliseconds after which the server ends an idle transaction. Default one minute. */
  idleInTransactionMs?: number;
  /** Milliseconds to wait for a connection, new or from the pool. Default 5,000. */
  connectTimeoutMs?: number;
  /**
   * `fresh`: a statement is planned at each execution, for the values it is given. `kept`: it is planned once, for look-ups
   * by index whatever the tables hold; for statements that read or write rows by their keys. Default fresh.
   */
  plans?: "fresh" | "kept";
  /** Milliseconds after which kept plans are made anew. Default 5,000. */
  plansKeptMs?: number;
  /** Connections that stay open at rest. Default 1, so that a lone request finds it open. */
  kept?: number;
  /** Told about connections that broke while idle; the pool replaces them. */
  onConnectionLost?: (error: Error) => void;
  /** Receives the socket of each new connection, a TLSSocket where the address asks for TLS. */
  onConnected?: (socket: Socket) => void;
}

/** Disposing waits for queries under way. */
export interface OpenPool extends AsyncDisposable {
  pool: Pool;
}

/** Prisma sends dates without a zone, so the session's zone decides what they mean. */
const UTC = "-c TimeZone=UTC";

/**
 * A plan kept from when a table was small (read it whole) would ruin a table that grows quickly. So a statement is planned
 * anew each time, which costs 0.1 ms and more; or it is planned once and may not read tables whole.
 */
const SESSION_SETTINGS = {
  fresh: `${UTC} -c plan_cache_mode=force_custom_plan`,
  kept:
    `${UTC} -c plan_cache_mode=force_generic_plan -c jit=off ` +
    "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off",
};

/**
 * While a table is small, all its indexes cost the same, and a plan may take any of them; the database keeps it until it
 * analyses the table, a minute after that has grown. So each connection plans anew from time to time, sent along with what
 * it is taken for.
 */
function planAnew(keptMs: number): (client: PoolClient) => void {
  const plannedSince = new WeakMap<PoolClient, number>();
  return (client) => {
    const now = performance.now();
    const since = plannedSince.get(client);
    if (since !== undefined && now - since < keptMs) return;
    plannedSince.set(client, now);
    // A connection that broke fails what it is taken for, too.
    if (since !== undefined) client.query("DISCARD PLANS").catch(() => undefined);
  };
}

/** Opens a connection pool. Connects on first use. Every session runs in UTC. */
export function openPool(options: OpenPoolOptions): OpenPool {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000;
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? 60_000,
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    // What a burst opened is closed soon after.
    idleTimeoutMillis: 10_000,
    min: options.kept ?? 1,
    keepAlive: true,
    // Statements of one connection that are asked for together are sent together: one round trip instead of one each.
    pipeline: true,
    options: SESSION_SETTINGS[options.plans ?? "fresh"],
  });
  // A server that is there answers sooner, by its own time limit.
  pool.on("connect", (client) => endWhenSilent(client, options.silentMs ?? statementTimeoutMs + 5000));
  pool.on("connect", ({ connection }) => options.onConnected?.(connection.stream as Socket));
  if (options.plans === "kept") pool.on("acquire", planAnew(options.plansKeptMs ?? 5000));
  expectLostConnections(pool, options.onConnectionLost);
  return { pool, [Symbol.asyncDispose]: () => pool.end() };
}
