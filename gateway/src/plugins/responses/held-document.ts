import type { FastifyReply } from "fastify";
import { gzip } from "node:zlib";
import { contentTag } from "@canvass/values";
import { matchesIfNoneMatch } from "./etag.ts";

interface Representation {
  bytes: Buffer;
  etag: string;
}

/** Sets the response headers and returns the body, or undefined for a 304. */
export type HeldDocument = (reply: FastifyReply) => Buffer | undefined;

/** Holds a document once, plain and gzipped, with an ETag (RFC 9110, 13.1.2). As bytes: connections copy strings. */
export function holdDocument(text: string | Uint8Array): HeldDocument {
  const plain = represent(
    typeof text === "string" ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.byteLength),
  );
  let compressed: Representation | undefined;
  gzip(plain.bytes, (error, bytes) => {
    if (!error) compressed = represent(bytes);
  });
  return (reply) => {
    const { "if-none-match": known, "accept-encoding": codings } = reply.request.headers;
    reply.header("vary", [reply.getHeader("vary") ?? [], "Accept-Encoding"].flat().join(", "));
    const had = [plain, compressed].find((each) => each && known && matchesIfNoneMatch(known, each.etag));
    if (had) {
      reply.code(304).header("etag", had.etag).removeHeader("content-type");
      return undefined;
    }
    const { bytes, etag } = (takesGzip(codings) && compressed) || plain;
    if (bytes === compressed?.bytes) reply.header("content-encoding", "gzip");
    reply.header("etag", etag);
    return bytes;
  };
}

const represent = (bytes: Buffer): Representation => ({ bytes, etag: contentTag(bytes) });

const gzipWanted = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

/** Whether an `Accept-Encoding` names gzip, and not with a weight of 0 (RFC 9110, 12.5.3). */
export function takesGzip(codings = ""): boolean {
  return gzipWanted.test(codings);
}
