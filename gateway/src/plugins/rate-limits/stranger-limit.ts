import { AppError } from "@canvass/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { createCallCounter } from "./call-counter.ts";
import { clientNetwork } from "../client-address/client-network.ts";
import { standingAnnouncer, tooMany } from "./rate-limit-guard.ts";

/** What bounds those who have no valid token. */
export interface StrangerLimit {
  /** Whether a token that nobody knows may be looked up for the sender of this request. */
  mayAsk: (request: FastifyRequest) => boolean;
  /**
   * Counts a failed authentication and gives the error to answer with: the same, or `rate_limited` after too many.
   * `asked`: the token service was asked because of this request.
   */
  refuse: (request: FastifyRequest, reply: FastifyReply, error: unknown, asked: boolean) => unknown;
}

const refusals = new Set(["unauthorized", "invalid_token", "token_expired", "workspace_not_accessible"]);

/**
 * Bounds failed authentications by client address, in this process alone: a store that is asked about strangers would
 * only pass their flood on. Two counts, because they have two purposes. Look-ups of tokens that turned out to be none
 * are what costs: beyond the limit no unknown token of that client is looked up. All refusals together say from when
 * on the answer is 429. Neither touches a token that is known to be valid, whoever shares its address.
 */
export function strangerLimit({ config, now }: Pick<GatewayContext, "config" | "now">): StrangerLimit {
  if (config.CANVASS_RATE_LIMITS === "off") return { mayAsk: () => true, refuse: (_request, _reply, error) => error };
  const limit = config.CANVASS_RATE_LIMIT_UNAUTHENTICATED;
  const countRefusal = createCallCounter(limit);
  const countLookUp = createCallCounter(limit);
  const announce = standingAnnouncer("unauthenticated", limit);
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
