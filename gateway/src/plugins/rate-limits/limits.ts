import type { GatewayConfig } from "../../config.ts";
import { eventLimits } from "./event-limits.ts";

/** Allowed calls a minute: in the events area by operation (contract 5.1), else by kind (contract 5.2). */
export function rateLimits(config: GatewayConfig) {
  return {
    reads: config.CANVASS_RATE_LIMIT_READS,
    writes: config.CANVASS_RATE_LIMIT_WRITES,
    submissions: config.CANVASS_RATE_LIMIT_SUBMISSIONS,
    respondents: config.CANVASS_RATE_LIMIT_RESPONDENTS,
    uploads: config.CANVASS_RATE_LIMIT_UPLOADS,
    documents: config.CANVASS_RATE_LIMIT_DOCUMENTS,
    ...eventLimits(config.CANVASS_RATE_LIMIT_OVERRIDES),
  };
}

export type LimitName = keyof ReturnType<typeof rateLimits>;

/** Calls counted together: those of a token, of a client address, or of a client address at the path's link. */
export type CountedBy = "token" | "client" | "client_and_link";

/** The limits for routes that need no token; all others count by token. */
export const withoutToken: Partial<Record<LimitName, CountedBy>> = {
  respondents: "client_and_link",
  uploads: "client_and_link",
  documents: "client",
};
