import { AppError } from "@canvass/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Registry } from "@canvass/telemetry";
import type { GatewayContext } from "../../context.ts";
import { hash } from "node:crypto";
import { respondentTokenOf } from "../authentication/respondent-token.ts";
import type { Guard } from "../guards/guard.ts";
import { addressAndLink } from "./address-and-link.ts";
import { createCallCounter, type RateLimitStatus } from "./call-counter.ts";
import { clientNetwork } from "../../client-address/client-network.ts";
import { rateLimits, limitsWithoutToken, type CountedBy, type LimitName } from "./limits.ts";
import type { CountCall } from "./shared-counts.ts";
import { createRateLimitReporter } from "./rate-limit-reporter.ts";

/** Returns the guard of a limit, or undefined when limits are off. Throws for a limit by token on a public route. */
export type GetLimitGuard = (name: LimitName, hasToken: boolean) => Guard | undefined;

/** Routes with the same limit share its counts. */
export function rateLimitGuards(
  context: Pick<GatewayContext, "config" | "now" | "metrics" | "sharedCounts">,
): GetLimitGuard {
  const { config, now, metrics, sharedCounts } = context;
  const quotas = rateLimits(config);
  const guards = new Map<LimitName, Guard>();
  return (name, hasToken) => {
    const quota = quotas[name];
    const by = limitsWithoutToken[name] ?? "token";
    if (by === "token" && !hasToken) throw new Error(`a public route cannot be counted by the token, as ${name} is`);
    if (config.CANVASS_RATE_LIMITS === "off") return undefined;
    const count = () => sharedCounts?.counter(name, quota) ?? createCallCounter(quota);
    const guard = guards.get(name) ?? rateLimitGuard({ name, quota, keyOf: keys[by], count: count(), now, metrics });
    guards.set(name, guard);
    return guard;
  };
}

const keys: Record<CountedBy, (request: FastifyRequest) => string> = {
  token: (request) => request.identity!.caller.tokenId,
  client: clientNetwork,
  client_and_link: addressAndLink,
  session: (request) => hash("sha256", respondentTokenOf(request), "base64url"),
};

interface LimitGuardOptions {
  name: string;
  quota: number;
  keyOf: (request: FastifyRequest) => string;
  count: CountCall;
  now: () => Date;
  metrics: Registry;
}

function rateLimitGuard({ name, quota, keyOf, count, now, metrics }: LimitGuardOptions): Guard {
  const report = createRateLimitReporter(name, quota, metrics);
  function evaluate(status: RateLimitStatus, reply: FastifyReply): void {
    report(status, reply);
    if (!status.allowed) throw tooMany(quota);
  }
  return (request, reply, done) => {
    const status = count(keyOf(request), now().getTime());
    if (status instanceof Promise) return status.then((known) => evaluate(known, reply));
    evaluate(status, reply);
    return done();
  };
}

export const tooMany = (limit: number): AppError => new AppError("rate_limited", { limit, window_seconds: 60 });
