import type { FastifyReply } from "fastify";

/** Aborted when the reader of an answer leaves; at once, if it has left already: a closed answer does not close again. */
export function readerSignal({ raw, request }: FastifyReply): AbortSignal {
  const left = new AbortController();
  if (raw.destroyed || request.raw.socket.destroyed) left.abort();
  else raw.once("close", () => left.abort());
  return left.signal;
}
