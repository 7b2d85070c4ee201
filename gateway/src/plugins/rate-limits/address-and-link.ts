import type { FastifyRequest } from "fastify";
import { clientNetwork } from "../../client-address/client-network.ts";

export function addressAndLink(request: FastifyRequest): string {
  const { code = "" } = request.params as { code?: string };
  // No code is longer, so this only limits memory.
  return `${clientNetwork(request)} ${code.slice(0, 64)}`;
}
