import type { FastifyReply } from "fastify";

/**
 * Aborted when the reader of an answer leaves, or ends its side of the connection, which looks the same; at once, if it
 * has left already: a closed answer does not close again. Reads the connection, which `inTurn` has paused.
 */
export function readerSignal({ raw, request }: FastifyReply): AbortSignal {
  const left = new AbortController();
  if (raw.destroyed || request.raw.socket.destroyed) left.abort();
  else raw.once("close", () => left.abort());
  // Behind that pause.
  setImmediate(() => request.raw.socket.resume());
  return left.signal;
}
