import type { AppError } from "@canvass/errors";
import type { FastifyReply } from "fastify";
import { once } from "node:events";
import type { GatewayContext } from "../../context.ts";
import { shownError } from "../errors/errors.ts";
import { inWrites, watchReader } from "./watch-reader.ts";

export interface PiecesToSend {
  pieces: AsyncIterable<string | Uint8Array>;
  /** Aborted when the reader leaves. */
  signal: AbortSignal;
  /** Sent before the connection is cut after an error. */
  lastPiece?: (error: AppError) => string;
}

/** Some clients drop unread bytes when the connection ends. */
const lingerMs = 100;

/**
 * Sends an answer as fast as its reader takes it, with the reply's status and headers. An error in the pieces cuts the
 * connection before the answer's end, so that no client takes it for complete; so does a reader that is too slow. Never
 * rejects.
 */
export async function sendPieces(context: GatewayContext, reply: FastifyReply, body: PiecesToSend): Promise<void> {
  // Fastify would cut the connection before the last piece is out.
  reply.hijack();
  const { request, raw } = reply;
  watchReader(context, reply);
  const cut = () => raw.socket?.destroySoon();
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
    for await (const piece of inWrites(body.pieces)) {
      if (raw.destroyed) return;
      if (!raw.write(piece)) await once(raw, "drain", { signal: body.signal });
    }
    raw.end();
  } catch (error) {
    if (raw.destroyed || body.signal.aborted) return;
    const shown = shownError(context, error, request);
    context.log.warn({ requestId: request.id, route: request.routeOptions.url, code: shown.code }, "an answer was cut");
    if (body.lastPiece) raw.write(body.lastPiece(shown), () => void setTimeout(cut, lingerMs).unref());
    else cut();
  }
}
