import type { FastifyInstance, FastifyReply } from "fastify";
import { Readable } from "node:stream";
import { clientNetwork } from "../../client-address/client-network.ts";
import type { GatewayContext } from "../../context.ts";
import { inWrites, watchReader, writtenAtOnce } from "./watch-reader.ts";

const mebi = 1024 * 1024;

/** Bytes of large texts that wait for their readers: of a workspace or, without a token, of a client address. */
export const unreadLimits = { perKey: 64 * mebi, total: 256 * mebi, reserved: 128 * mebi, counted: "unread_bytes" };

/**
 * Sends large texts at the pace of their readers, within the limits. Other bodies are not counted: streams hold permits,
 * and documents and files are in memory once.
 */
export function limitUnreadResponses(app: FastifyInstance, context: GatewayContext): void {
  app.addHook("onSend", ({ method }, reply, payload, done) => {
    if (typeof payload !== "string" || !isLarge(payload) || method === "HEAD") return done();
    // A closed response does not emit the event that releases.
    if (reply.raw.destroyed) return done();
    const bytes = Buffer.from(payload);
    reserve(context, reply, bytes.length);
    watchReader(context, reply);
    reply.header("content-length", bytes.length);
    return done(null, Readable.from(inWrites([bytes]), { objectMode: false }));
  });
}

/** Measures no short text: a character has at most three bytes. */
const isLarge = (text: string): boolean => text.length > writtenAtOnce / 3 && Buffer.byteLength(text) > writtenAtOnce;

function reserve({ unread }: GatewayContext, reply: FastifyReply, bytes: number): void {
  try {
    const held = unread.acquire(reply.request.identity?.caller.workspaceId ?? clientNetwork(reply.request), bytes);
    reply.raw.once("close", () => held[Symbol.dispose]());
  } catch (error) {
    // They describe the refused response, or the first one that it repeats.
    for (const name of ["etag", "content-disposition", "location", "idempotent-replayed"]) reply.removeHeader(name);
    reply.headers({ "cache-control": "no-store", "x-request-id": reply.request.id });
    throw error;
  }
}
