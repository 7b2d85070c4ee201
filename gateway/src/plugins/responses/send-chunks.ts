import type { AppError } from "@canvass/errors";
import type { FastifyReply } from "fastify";
import { once } from "node:events";
import type { GatewayContext } from "../../context.ts";
import { shownError } from "../errors/errors.ts";
import { inWrites, watchReader } from "./watch-reader.ts";

export interface ChunksToSend {
  chunks: AsyncIterable<string | Uint8Array>;
  signal: AbortSignal;
  lastChunk?: (error: AppError) => string;
}

/** Delay before the cut, because some clients drop unread bytes when the connection ends. */
const lingerMs = 100;

/** Sends a response as fast as its reader takes it. After an error, cuts the connection to mark it as incomplete. */
export async function sendChunks(context: GatewayContext, reply: FastifyReply, body: ChunksToSend): Promise<void> {
  // Fastify would cut the connection before the last chunk is sent.
  reply.hijack();
  const { request, raw } = reply;
  watchReader(context, reply);
  const cut = () => raw.socket?.destroySoon();
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
    for await (const chunk of inWrites(body.chunks)) {
      if (raw.destroyed) return;
      if (!raw.write(chunk)) await once(raw, "drain", { signal: body.signal });
    }
    raw.end();
  } catch (error) {
    if (raw.destroyed || body.signal.aborted) return;
    const shown = shownError(context, error, request);
    context.log.warn({ requestId: request.id, route: request.routeOptions.url, code: shown.code }, "an answer was cut");
    if (body.lastChunk) raw.write(body.lastChunk(shown), () => void setTimeout(cut, lingerMs).unref());
    else cut();
  }
}
