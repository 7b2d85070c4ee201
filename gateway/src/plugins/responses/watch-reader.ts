import type { FastifyReply } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { createTransferPace } from "../transfer-pace.ts";

const looksPerIdleTime = 8;

/** Bytes per write. Small, because a reader's progress shows write by write. */
export const writtenAtOnce = 64 * 1024;

/** Cuts the connection when the reader stops reading or is too slow on average. This ends the calls behind it. */
export function watchReader({ config, log }: Pick<GatewayContext, "config" | "log">, reply: FastifyReply): void {
  const { raw, request } = reply;
  const { socket } = raw;
  if (!socket || raw.destroyed) return;
  const idleMs = config.CANVASS_READER_IDLE_MS;
  const isTooSlow = createTransferPace({ idleMs, bytesPerSecond: config.CANVASS_READER_BYTES_PER_SECOND });
  const lookMs = idleMs / looksPerIdleTime;
  const before = socket.bytesWritten - socket.writableLength;
  const look = () => {
    // With nothing buffered, the service is slow and not the reader.
    if (raw.writableLength === 0) return;
    // Counts checks instead of clock time: while this process was suspended, its readers could not read either.
    if (!isTooSlow(lookMs, socket.bytesWritten - socket.writableLength - before)) return;
    log.warn({ requestId: request.id, route: request.routeOptions.url }, "a reader was too slow");
    raw.destroy();
  };
  const timer = setInterval(look, lookMs).unref();
  raw.once("close", () => clearInterval(timer));
}

export async function* inWrites(
  chunks: AsyncIterable<string | Uint8Array> | readonly Uint8Array[],
): AsyncGenerator<string | Uint8Array> {
  for await (const chunk of chunks) {
    if (chunk.length <= writtenAtOnce) {
      yield chunk;
      continue;
    }
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (let from = 0; from < bytes.length; from += writtenAtOnce) yield bytes.subarray(from, from + writtenAtOnce);
  }
}
