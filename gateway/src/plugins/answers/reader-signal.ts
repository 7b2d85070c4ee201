import type { FastifyReply } from "fastify";

/**
 * Aborted when the reader of an answer leaves or ends its side of the connection, which looks the same; at once, if it has
 * left already: a closed answer does not close again. Its connection is closed then.
 */
export function readerSignal({ raw, request }: FastifyReply): AbortSignal {
  const { socket } = request.raw;
  const left = new AbortController();
  const close = () => raw.destroy();
  if (socket.readableEnded) close();
  if (raw.destroyed || socket.destroyed) {
    left.abort();
    return left.signal;
  }
  socket.once("end", close);
  raw.once("close", () => {
    socket.off("end", close);
    left.abort();
  });
  return left.signal;
}
