import type { FastifyReply } from "fastify";

/** Returns a signal that aborts when the reader of a response disconnects or half-closes, which looks the same. */
export function readerSignal({ raw, request }: FastifyReply): AbortSignal {
  const { socket } = request.raw;
  const left = new AbortController();
  const close = () => raw.destroy();
  // The events of a reader that has left are not emitted again.
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
