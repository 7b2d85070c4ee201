import type { GatewayConfig } from "../../config.ts";

/** How many calls a minute are let through, and whose calls are counted together. */
export interface RateLimit {
  quota: number;
  /** `client_and_link`, for routes that need no token: a client address, at the link whose `code` the path names. */
  by: "token" | "client_and_link";
}

/** The events area by spec 8, all other operations by kind (api-decisions 1). */
export function rateLimits(config: GatewayConfig) {
  return {
    reads: perToken(config.CANVASS_RATE_LIMIT_READS),
    writes: perToken(config.CANVASS_RATE_LIMIT_WRITES),
    submissions: perToken(config.CANVASS_RATE_LIMIT_SUBMISSIONS),
    respondents: { quota: config.CANVASS_RATE_LIMIT_RESPONDENTS, by: "client_and_link" } as RateLimit,
    list_subscriptions: perToken(300),
    create_subscription: perToken(30),
    get_subscription: perToken(300),
    update_subscription: perToken(60),
    delete_subscription: perToken(60),
    rotate_secret: perToken(10),
    test_subscription: perToken(10),
    list_deliveries: perToken(300),
    redeliver: perToken(60),
    list_events: perToken(300),
  };
}

const perToken = (quota: number): RateLimit => ({ quota, by: "token" });

export type LimitName = keyof ReturnType<typeof rateLimits>;
