import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerCreateTokenRoute } from "./create-token.ts";
import { registerGetTokenRoute } from "./get-token.ts";
import { registerListScopesRoute } from "./list-scopes.ts";
import { registerListTokensRoute } from "./list-tokens.ts";
import { registerRevokeTokenRoute } from "./revoke-token.ts";
import { registerRotateTokenRoute } from "./rotate-token.ts";
import { registerUpdateTokenRoute } from "./update-token.ts";

/** API tokens (contract 4). */
export function registerTokenRoutes(api: Api, context: GatewayContext): void {
  registerListTokensRoute(api, context);
  registerCreateTokenRoute(api, context);
  registerListScopesRoute(api, context);
  registerGetTokenRoute(api, context);
  registerUpdateTokenRoute(api, context);
  registerRevokeTokenRoute(api, context);
  registerRotateTokenRoute(api, context);
}
