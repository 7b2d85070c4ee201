import type { GatewayConfig } from "../../config.ts";
import { eventLimits } from "../../event-limits.ts";

/** Calls per minute: by operation in the events area (contract 5.1), else by kind (contract 5.2). */
export function rateLimits(config: GatewayConfig) {
  return {
    reads: config.CANVASS_RATE_LIMIT_READS,
    writes: config.CANVASS_RATE_LIMIT_WRITES,
    submissions: config.CANVASS_RATE_LIMIT_SUBMISSIONS,
    links: config.CANVASS_RATE_LIMIT_LINKS,
    respondents: config.CANVASS_RATE_LIMIT_RESPONDENTS,
    uploads: config.CANVASS_RATE_LIMIT_UPLOADS,
    documents: config.CANVASS_RATE_LIMIT_DOCUMENTS,
    ...eventLimits(config.CANVASS_RATE_LIMIT_OVERRIDES),
  };
}

export type LimitName = keyof ReturnType<typeof rateLimits>;

/** Calls that count together: of a token, a client address, a client address at the path's link, or a session. */
export type CountedBy = "token" | "client" | "client_and_link" | "session";

/** How the limits of routes without a token count. All others count by token. */
export const limitsWithoutToken: Partial<Record<LimitName, CountedBy>> = {
  links: "client_and_link",
  respondents: "session",
  uploads: "session",
  documents: "client",
};
