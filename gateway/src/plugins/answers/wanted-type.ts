import type { FastifyReply } from "fastify";
import Negotiator from "negotiator";

/**
 * Which of the media types the caller prefers (RFC 9110, 12.5.1); the first, when it has no preference or takes none. Tells
 * caches that the answer depends on it.
 */
export function wantedType<Type extends string>(reply: FastifyReply, types: readonly [Type, ...Type[]]): Type {
  const { headers } = reply.request;
  reply.header("vary", [reply.getHeader("vary"), "accept"].filter(Boolean).join(", "));
  return (new Negotiator({ headers }).mediaType([...types]) as Type | undefined) ?? types[0];
}
