import type { PoolClient } from "pg";
import type { Socket } from "node:net";

/**
 * Breaks off a connection whose server says nothing for so long while it owes an answer: it is gone without a word. With
 * pg's own `query_timeout`, one timer for each statement, what a statement held outlives it until all of the memory is
 * collected: a service copied a megabyte at each 150th request.
 */
export function endWhenSilent(client: PoolClient, silentMs: number): void {
  const stream = client.connection.stream as Socket;
  stream.setTimeout(silentMs, () => {
    if (!(client as unknown as { readyForQuery: boolean }).readyForQuery) stream.destroy();
  });
}
