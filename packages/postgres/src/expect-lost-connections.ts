import type { Pool } from "pg";

/**
 * Keeps a broken connection from ending the process through an "error" event without a listener; its pending statements
 * fail anyway. The pool listens while a connection is idle, but between checkout and the user's own listener nobody
 * would.
 */
export function expectLostConnections(pool: Pool, onIdleLost: (error: Error) => void = () => undefined): void {
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", onIdleLost);
}
