import type { PoolClient } from "pg";
import type { Writable } from "node:stream";

/**
 * Returns a function to call before a statement is sent: those of one turn of the event loop then leave as one piece. Each
 * piece wakes the database, which on a busy machine takes the sender's place at once.
 */
export function sendTogether(client: PoolClient): () => void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    stream.cork();
    process.nextTick(() => {
      waits = false;
      stream.uncork();
    });
  };
}
