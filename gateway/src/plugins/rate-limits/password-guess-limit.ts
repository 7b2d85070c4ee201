import { AppError } from "@canvass/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { createCallCounter } from "./call-counter.ts";
import { addressAndLink } from "./address-and-link.ts";
import { tooMany } from "./rate-limit-guard.ts";
import { createRateLimitReporter } from "./rate-limit-reporter.ts";

/** Wrong passwords per minute: enough for people who mistype, too few for a dictionary. */
const limit = 60;

type Work<Result> = () => Promise<Result>;

/**
 * Returns a function that starts a respondent by a password, unless the client has sent too many wrong ones to the
 * link. Right ones do not count: a whole room may share an address.
 */
export function passwordGuessLimit({ config, now, metrics }: Pick<GatewayContext, "config" | "now" | "metrics">) {
  const count = createCallCounter(limit);
  const report = createRateLimitReporter("passwords", limit, metrics);
  return async <Result>(request: FastifyRequest, reply: FastifyReply, start: Work<Result>): Promise<Result> => {
    if (config.CANVASS_RATE_LIMITS === "off") return start();
    const key = addressAndLink(request);
    // Counted before the start and refunded if right, so that simultaneous guesses do not exceed the limit.
    const countedAt = now().getTime();
    const status = count(key, countedAt);
    let isWrong = false;
    try {
      if (status.allowed) return await start();
      report(status, reply);
      throw tooMany(limit);
    } catch (error) {
      isWrong = error instanceof AppError && "password" in error.details;
      throw error;
    } finally {
      if (!isWrong) count.refund(key, countedAt);
    }
  };
}
