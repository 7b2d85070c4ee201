import { AppError } from "@canvass/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { createCallCounter } from "./call-counter.ts";
import { clientNetwork } from "../../client-address/client-network.ts";
import { tooMany } from "./rate-limit-guard.ts";
import { createRateLimitReporter } from "./rate-limit-reporter.ts";

export interface UnauthenticatedLimit {
  /** Whether this client may have another unknown token looked up. Counts nothing. */
  mayAsk: (request: FastifyRequest) => boolean;
  /** Counts a failed authentication and returns its error, or `rate_limited`. `asked`: the token was looked up. */
  refuse: (request: FastifyRequest, reply: FastifyReply, error: unknown, asked: boolean) => unknown;
}

const refusals = new Set(["unauthorized", "invalid_token", "token_expired", "workspace_not_accessible"]);

/** Limits failed authentications by client address, in this process only: a flood would reach a shared store, too. */
export function unauthenticatedLimit({
  config,
  now,
  metrics,
}: Pick<GatewayContext, "config" | "now" | "metrics">): UnauthenticatedLimit {
  if (config.CANVASS_RATE_LIMITS === "off") return { mayAsk: () => true, refuse: (_request, _reply, error) => error };
  const limit = config.CANVASS_RATE_LIMIT_UNAUTHENTICATED;
  const countRefusal = createCallCounter(limit);
  // Look-ups are expensive and count separately. Those of recently valid tokens do not count.
  const countLookUp = createCallCounter(limit);
  const report = createRateLimitReporter("unauthenticated", limit, metrics);
  return {
    mayAsk: (request) => countLookUp(clientNetwork(request), now().getTime(), 0).remaining > 0,
    refuse(request, reply, error, asked) {
      if (!(error instanceof AppError)) return error;
      const stopped = error.code === "rate_limited";
      if (!stopped && !refusals.has(error.code)) return error;
      const network = clientNetwork(request);
      const at = now().getTime();
      const lookUps = countLookUp(network, at, asked && !stopped ? 1 : 0);
      const status = countRefusal(network, at);
      report(stopped ? { ...lookUps, allowed: false } : status, reply);
      return stopped || !status.allowed ? tooMany(limit) : error;
    },
  };
}
