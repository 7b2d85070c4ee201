import { AppError } from "@canvass/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { createCallCounter } from "./call-counter.ts";
import { addressAndLink } from "./address-and-link.ts";
import { tooMany } from "./rate-limit-guard.ts";
import { standingAnnouncer } from "./standing-announcer.ts";

/** Wrong passwords a minute: people who mistype, and no dictionary. */
const limit = 60;

type Work<Result> = () => Promise<Result>;

/**
 * Returns a function that does a start with a password, and bounds wrong ones for each client address at a link: starts there are as
 * many as a full room makes. Throws `rate_limited` beyond it.
 */
export function passwordGuesses({ config, now, metrics }: Pick<GatewayContext, "config" | "now" | "metrics">) {
  const count = createCallCounter(limit);
  const announce = standingAnnouncer("passwords", limit, metrics);
  return async <Result>(request: FastifyRequest, reply: FastifyReply, start: Work<Result>): Promise<Result> => {
    if (config.CANVASS_RATE_LIMITS === "off") return start();
    const key = addressAndLink(request);
    // Counted ahead, and given back: guesses that come all at once are no more than others.
    const countedAt = now().getTime();
    const standing = count(key, countedAt);
    let isWrong = false;
    try {
      if (standing.allowed) return await start();
      announce(standing, reply);
      throw tooMany(limit);
    } catch (error) {
      isWrong = error instanceof AppError && "password" in error.details;
      throw error;
    } finally {
      if (!isWrong) count.refund(key, countedAt);
    }
  };
}
