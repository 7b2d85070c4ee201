import type { FastifyRequest } from "fastify";
import { createHmac, randomBytes } from "node:crypto";
import { clientNetwork } from "./client-network.ts";

/** Returns a key that is the same for all requests of a client network (`clientNetwork`) within a scope. */
export type ClientKeys = (request: FastifyRequest, scope: string) => string;

/** The secret is random and never leaves this process, so stored keys cannot be turned into addresses. */
export function createClientKeys(): ClientKeys {
  const secret = randomBytes(32);
  return (request, scope) =>
    createHmac("sha256", secret)
      .update(`${scope} ${clientNetwork(request)}`)
      .digest("base64url")
      .slice(0, 22);
}
