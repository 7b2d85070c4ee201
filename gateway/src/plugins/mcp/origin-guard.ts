import { AppError } from "@canvass/errors";
import type { GatewayConfig } from "../../config.ts";
import { listedOrigins } from "../cross-origin.ts";
import type { Guard } from "../guards/guard.ts";

/**
 * Refuses requests of pages of other origins, as MCP asks of servers (Streamable HTTP, "Security Warning"). After DNS
 * rebinding a page's request is same-origin for the browser, but keeps the page's `Origin`. Other clients send none.
 */
export function originGuard(config: Pick<GatewayConfig, "CANVASS_CORS_ORIGINS" | "CANVASS_PUBLIC_URL">): Guard {
  const allowed = listedOrigins(config).add(new URL(config.CANVASS_PUBLIC_URL).origin);
  return ({ headers: { origin } }, _reply, done) => {
    if (origin === undefined || allowed.has(origin)) done();
    else done(new AppError("forbidden", {}, "Pages of this origin may not call `/mcp`."));
  };
}
