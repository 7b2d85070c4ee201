import { AppError } from "@canvass/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { createCallCounter } from "./call-counter.ts";
import { clientNetwork } from "../client-address/client-network.ts";
import { tooMany } from "./rate-limit-guard.ts";
import { standingAnnouncer } from "./standing-announcer.ts";

export interface UnauthenticatedLimit {
  /** Whether an unknown token of this client may be looked up. */
  mayAsk: (request: FastifyRequest) => boolean;
  /** Counts a failed authentication. Returns the same error, or `rate_limited`. `asked`: there was a look-up. */
  refuse: (request: FastifyRequest, reply: FastifyReply, error: unknown, asked: boolean) => unknown;
}

const refusals = new Set(["unauthorized", "invalid_token", "token_expired", "workspace_not_accessible"]);

/**
 * Limits failed authentications by client address, in this process only: a shared store would receive the flood, too.
 * Look-ups of invalid tokens are expensive and have a count of their own: beyond it, unknown tokens are not looked up.
 * The count of all refusals decides when the response becomes 429. Neither affects a known valid token.
 */
export function unauthenticatedLimit({
  config,
  now,
  metrics,
}: Pick<GatewayContext, "config" | "now" | "metrics">): UnauthenticatedLimit {
  if (config.CANVASS_RATE_LIMITS === "off") return { mayAsk: () => true, refuse: (_request, _reply, error) => error };
  const limit = config.CANVASS_RATE_LIMIT_UNAUTHENTICATED;
  const countRefusal = createCallCounter(limit);
  const countLookUp = createCallCounter(limit);
  const announce = standingAnnouncer("unauthenticated", limit, metrics);
  return {
    mayAsk: (request) => countLookUp(clientNetwork(request), now().getTime(), 0).remaining > 0,
    refuse(request, reply, error, asked) {
      if (!(error instanceof AppError)) return error;
      const stopped = error.code === "rate_limited";
      if (!stopped && !refusals.has(error.code)) return error;
      const network = clientNetwork(request);
      const at = now().getTime();
      const lookUps = countLookUp(network, at, asked && !stopped ? 1 : 0);
      const standing = countRefusal(network, at);
      announce(stopped ? { ...lookUps, allowed: false } : standing, reply);
      return stopped || !standing.allowed ? tooMany(limit) : error;
    },
  };
}
