import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerGetAsyncapiRoute } from "./get-asyncapi.ts";
import { registerGetHealthRoute } from "./get-health.ts";
import { registerGetOpenapiRoute } from "./get-openapi.ts";
import { registerListErrorsRoute } from "./list-errors.ts";

/** Health, the documents and the error catalogue (contract 9.1, 9.2, 1.3). */
export function registerServiceRoutes(api: Api, context: GatewayContext): void {
  registerGetHealthRoute(api, context);
  registerListErrorsRoute(api, context);
  registerGetOpenapiRoute(api, context);
  registerGetAsyncapiRoute(api, context);
  api.get("/docs", { config: { scope: "public", limit: "documents" }, schema: { hide: true } }, (_request, reply) =>
    reply.redirect("/docs/"),
  );
}
