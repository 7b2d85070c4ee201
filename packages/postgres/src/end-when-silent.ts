import type { PoolClient } from "pg";
import type { Socket } from "node:net";

/**
 * Closes a connection whose server owes a response but sends nothing for `silentMs`. pg's own `query_timeout` uses one
 * timer per statement, which retains the statement's memory until a full garbage collection: a service copied a
 * megabyte at each 150th request.
 */
export function endWhenSilent(client: PoolClient, silentMs: number): void {
  const stream = client.connection.stream as Socket;
  stream.setTimeout(silentMs, () => {
    if (!(client as unknown as { readyForQuery: boolean }).readyForQuery) stream.destroy();
  });
}
