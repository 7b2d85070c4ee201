import type { PoolClient } from "pg";
import type { Socket } from "node:net";

/** Closes a connection whose server owes a response but sends nothing for `silentMs`. */
export function endWhenSilent(client: PoolClient, silentMs: number): void {
  const stream = client.connection.stream as Socket;
  // pg's `query_timeout` would retain each statement's memory until a full garbage collection.
  stream.setTimeout(silentMs, () => {
    if (!(client as unknown as { readyForQuery: boolean }).readyForQuery) stream.destroy();
  });
}
