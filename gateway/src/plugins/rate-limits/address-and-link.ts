import type { FastifyRequest } from "fastify";
import { clientNetwork } from "../client-address/client-network.ts";

/** Returns the key that counts the calls of a client address at a link together. */
export function addressAndLink(request: FastifyRequest): string {
  const { code = "" } = request.params as { code?: string };
  // No code is longer, so this only limits memory.
  return `${clientNetwork(request)} ${code.slice(0, 64)}`;
}
