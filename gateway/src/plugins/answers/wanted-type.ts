import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";

/**
 * Returns the media type that the caller prefers (RFC 9110, 12.5.1), or the first one when it has no preference or
 * accepts none.
 */
export function wantedType<Type extends string>({ headers }: FastifyRequest, types: readonly [Type, ...Type[]]): Type {
  return (new Negotiator({ headers }).mediaType([...types]) as Type | undefined) ?? types[0];
}

/** Declares to caches that a success depends on the `Accept` header. */
export function varyByType(reply: FastifyReply): void {
  reply.header("vary", [reply.getHeader("vary"), "accept"].filter(Boolean).join(", "));
}
