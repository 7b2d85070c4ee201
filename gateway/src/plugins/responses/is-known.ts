import type { FastifyReply } from "fastify";
import { matchesIfNoneMatch } from "./etag.ts";

/** Whether the client has the resource with this entity tag (`If-None-Match`): then the response is 304. */
export function isKnown(reply: FastifyReply, etag: string): boolean {
  const known = reply.request.headers["if-none-match"];
  const isMatch = known !== undefined && matchesIfNoneMatch(known, etag);
  if (isMatch) reply.code(304);
  return isMatch;
}
