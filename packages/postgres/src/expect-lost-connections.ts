import type { Pool } from "pg";

/** Adds listeners, because an "error" event of a lost connection without a listener would end the process. */
export function expectLostConnections(pool: Pool, onIdleLost: (error: Error) => void = () => undefined): void {
  // The pool itself listens only while a connection is idle.
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", onIdleLost);
}
