import type { FastifyReply } from "fastify";
import { matchesIfNoneMatch } from "./etag.ts";

/** Sets 304 and returns true if the client has the resource with this entity tag (`If-None-Match`). */
export function setNotModifiedIfKnown(reply: FastifyReply, etag: string): boolean {
  const known = reply.request.headers["if-none-match"];
  const isMatch = known !== undefined && matchesIfNoneMatch(known, etag);
  if (isMatch) reply.code(304);
  return isMatch;
}
