import type { FastifyReply } from "fastify";

/**
 * Returns a signal that aborts when the reader of a response disconnects. Half-closing looks the same, and destroys the
 * response. The signal is already aborted if the reader has left, since `close` is not emitted again.
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
