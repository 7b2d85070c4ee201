import type { FastifyRequest } from "fastify";
import { clientNetwork } from "../client-address/client-network.ts";

/** The key by which calls of a client address at the path's link are counted together. */
export function addressAndLink(request: FastifyRequest): string {
  const { code = "" } = request.params as { code?: string };
  // No link is that long.
  return `${clientNetwork(request)} ${code.slice(0, 64)}`;
}
