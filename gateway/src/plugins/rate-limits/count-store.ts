import type { Socket } from "node:net";
import { Pool, type QueryConfig } from "pg";

/** A key's calls in its current minute, on the store's clock. */
export interface Counted {
  key: string;
  calls: number;
  leftMs: number;
}

/** The store of counts that gateways share. Every function rejects when the store is down or too slow. */
export interface CountStore extends AsyncDisposable {
  prepare(): Promise<void>;
  /** Adds each key's calls to its minute, or starts a new one. Keys are distinct and in any order. */
  add(keys: string[], calls: number[]): Promise<Counted[]>;
  purge(): Promise<void>;
}

// UNLOGGED: a crash may lose counts, which are soon worthless. The fill factor lets an update stay in its page.
const createTable = `
  SELECT pg_advisory_xact_lock(7204916653);
  CREATE UNLOGGED TABLE IF NOT EXISTS canvass_call_counts (
    key text COLLATE "C" PRIMARY KEY,
    calls integer NOT NULL,
    ends_at timestamptz NOT NULL
  ) WITH (fillfactor = 50)`;

// A minute that ends much later began before the clock was set back. A statement that began before its minute sees it
// end a little later.
const underWay = `counted.ends_at > statement_timestamp()
      AND counted.ends_at < statement_timestamp() + interval '120 seconds'`;

// Ordered by key, so that statements of several gateways do not deadlock.
const addCalls = `
  INSERT INTO canvass_call_counts AS counted (key, calls, ends_at)
  SELECT key, calls, statement_timestamp() + interval '60 seconds'
  FROM unnest($1::text[], $2::integer[]) AS asked (key, calls)
  ORDER BY key COLLATE "C"
  ON CONFLICT (key) DO UPDATE SET
    calls = excluded.calls + CASE WHEN ${underWay} THEN counted.calls ELSE 0 END,
    ends_at = CASE WHEN ${underWay} THEN counted.ends_at ELSE excluded.ends_at END
  RETURNING key, calls, (extract(epoch FROM ends_at - statement_timestamp()) * 1000)::float8 AS "leftMs"`;

// Skips locked rows to avoid deadlocks. The extra minute is for statements that began before the minute ended.
const deleteOld = `
  DELETE FROM canvass_call_counts WHERE key IN (
    SELECT key FROM canvass_call_counts WHERE ends_at < statement_timestamp() - interval '60 seconds'
    FOR UPDATE SKIP LOCKED)`;

/** Connects lazily. `timeoutMs` limits a count; creating the table and deleting may take ten times as long. */
export function openCountStore(
  url: string,
  timeoutMs: number,
  onConnectionLost: (error: Error) => void,
  onConnected: (socket: Socket) => void,
): CountStore {
  const pool = new Pool({
    connectionString: url,
    max: 2,
    application_name: "canvass-gateway",
    connectionTimeoutMillis: timeoutMs,
    idleTimeoutMillis: 60_000,
    statement_timeout: timeoutMs * 10,
    keepAlive: true,
    // Counts need no durable commit.
    options: "-c synchronous_commit=off",
  });
  // Without a listener, a broken idle connection would end the process.
  pool.on("error", onConnectionLost);
  pool.on("connect", ({ connection }) => onConnected(connection.stream as Socket));

  async function run<Row extends object>(query: QueryConfig, withinMs = timeoutMs * 10): Promise<Row[]> {
    const { rows } = await pool.query<Row>({ ...query, query_timeout: withinMs } as QueryConfig);
    return rows;
  }

  return {
    async prepare() {
      // Checks first: a role that may not create tables can use an existing one.
      const [found] = await run<{ there: boolean }>({
        text: "SELECT to_regclass('canvass_call_counts') IS NOT NULL AS there",
      });
      if (!found?.there) await run({ text: createTable });
    },
    add: (keys, calls) => run<Counted>({ name: "add-calls", text: addCalls, values: [keys, calls] }, timeoutMs),
    async purge() {
      await run({ text: deleteOld });
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
