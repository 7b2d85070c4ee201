import type { FastifyRequest } from "fastify";
import { createHmac, randomBytes } from "node:crypto";
import { clientNetwork } from "./client-network.ts";

/** Tells the requests of one client address within a scope from others. */
export type ClientKeys = (request: FastifyRequest, scope: string) => string;

/** The key is random and stays in this process, so nobody who stores what it makes can turn that into an address. */
export function createClientKeys(): ClientKeys {
  const secret = randomBytes(32);
  return (request, scope) =>
    createHmac("sha256", secret)
      .update(`${scope} ${clientNetwork(request)}`)
      .digest("base64url")
      .slice(0, 22);
}
