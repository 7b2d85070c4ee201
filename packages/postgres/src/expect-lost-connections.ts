import type { Pool } from "pg";

/**
 * A connection that breaks fails the statements that wait for it; without a listener it would end the process besides. The pool
 * listens while a connection is idle, and who takes it listens later: news that arrive in one piece with what handed it
 * over would meet nobody.
 */
export function expectLostConnections(pool: Pool, onIdleLost: (error: Error) => void = () => undefined): void {
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", onIdleLost);
}
