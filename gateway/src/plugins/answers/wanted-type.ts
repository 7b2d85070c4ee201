import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";

/** Which of the media types the caller prefers (RFC 9110, 12.5.1); the first, when it has no preference or takes none. */
export function wantedType<Type extends string>({ headers }: FastifyRequest, types: readonly [Type, ...Type[]]): Type {
  return (new Negotiator({ headers }).mediaType([...types]) as Type | undefined) ?? types[0];
}

/** Tells caches that a success depends on the wanted type. */
export function varyByType(reply: FastifyReply): void {
  reply.header("vary", [reply.getHeader("vary"), "accept"].filter(Boolean).join(", "));
}
