import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";

/** Returns the media type that the caller prefers (RFC 9110, 12.5.1); by default the first one. */
export function wantedType<Type extends string>({ headers }: FastifyRequest, types: readonly [Type, ...Type[]]): Type {
  return (new Negotiator({ headers }).mediaType([...types]) as Type | undefined) ?? types[0];
}

export function varyByType(reply: FastifyReply): void {
  reply.header("vary", [reply.getHeader("vary"), "accept"].filter(Boolean).join(", "));
}
