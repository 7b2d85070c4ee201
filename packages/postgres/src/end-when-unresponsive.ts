import type { PoolClient } from "pg";
import type { Socket } from "node:net";

/** Closes a connection whose server owes a response but sends nothing for `unresponsiveMs`. */
export function endWhenUnresponsive(client: PoolClient, unresponsiveMs: number): void {
  const stream = client.connection.stream as Socket;
  // pg's `query_timeout` would retain each statement's memory until a full garbage collection.
  stream.setTimeout(unresponsiveMs, () => {
    if (!(client as unknown as { readyForQuery: boolean }).readyForQuery) stream.destroy();
  });
}
