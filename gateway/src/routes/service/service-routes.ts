import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { getHealth } from "./get-health.ts";
import { getOpenapi } from "./get-openapi.ts";
import { listErrors } from "./list-errors.ts";

/** Health, the document and the error catalogue (contract 9.1, 9.2, 1.3). */
export function serviceRoutes(api: Api, context: GatewayContext): void {
  getHealth(api, context);
  listErrors(api, context);
  getOpenapi(api, context);
  // Whoever looks for the reference below the API's address is shown the way.
  api.get("/docs", { config: { scope: "public", limit: "documents" }, schema: { hide: true } }, (_request, reply) =>
    reply.redirect("/docs/"),
  );
}
