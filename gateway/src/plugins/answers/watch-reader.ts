import type { FastifyReply } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { createReaderPace } from "./reader-pace.ts";

const looksPerIdleTime = 8;

/** Bytes of a write: a reader is seen to take so many at once. */
const writtenAtOnce = 64 * 1024;

/**
 * Cuts the connection of an answer whose reader takes nothing for a while, or too little on the whole. All that stands
 * behind the answer ends with it.
 */
export function watchReader({ config, log }: Pick<GatewayContext, "config" | "log">, reply: FastifyReply): void {
  const { raw, request } = reply;
  const { socket } = raw;
  if (!socket || raw.destroyed) return;
  const idleMs = config.CANVASS_READER_IDLE_MS;
  const isTooSlow = createReaderPace({ idleMs, bytesPerSecond: config.CANVASS_READER_BYTES_PER_SECOND });
  const lookMs = idleMs / looksPerIdleTime;
  const before = socket.bytesWritten - socket.writableLength;
  const look = () => {
    // While none waits, the service is what is slow.
    if (raw.writableLength === 0) return;
    // Counted by looks and not by the clock: while this process stood still, so did its readers.
    if (!isTooSlow(lookMs, socket.bytesWritten - socket.writableLength - before)) return;
    log.warn({ requestId: request.id, route: request.routeOptions.url }, "a reader was too slow");
    raw.destroy();
  };
  const timer = setInterval(look, lookMs).unref();
  raw.once("close", () => clearInterval(timer));
}

/** The same bytes in small pieces. */
export async function* inWrites(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  for await (const piece of pieces) {
    if (piece.length <= writtenAtOnce) {
      yield piece;
      continue;
    }
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    for (let from = 0; from < bytes.length; from += writtenAtOnce) yield bytes.subarray(from, from + writtenAtOnce);
  }
}
