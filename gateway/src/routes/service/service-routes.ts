import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { getHealth } from "./get-health.ts";
import { getOpenapi } from "./get-openapi.ts";
import { listErrors } from "./list-errors.ts";

/** Api-decisions 7 and the error catalogue. */
export function serviceRoutes(api: Api, context: GatewayContext): void {
  getHealth(api, context);
  listErrors(api, context);
  getOpenapi(api, context);
  // Whoever looks for the reference below the API's address is shown the way.
  api.get("/docs", { config: { scope: "public", limit: "documents" }, schema: { hide: true } }, (_request, reply) =>
    reply.redirect("/docs/"),
  );
}
