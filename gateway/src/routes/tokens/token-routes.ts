import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { createToken } from "./create-token.ts";
import { getToken } from "./get-token.ts";
import { listScopes } from "./list-scopes.ts";
import { listTokens } from "./list-tokens.ts";
import { revokeToken } from "./revoke-token.ts";
import { rotateToken } from "./rotate-token.ts";
import { updateToken } from "./update-token.ts";

/** API tokens (contract 4). */
export function tokenRoutes(api: Api, context: GatewayContext): void {
  listTokens(api, context);
  createToken(api, context);
  listScopes(api, context);
  getToken(api, context);
  updateToken(api, context);
  revokeToken(api, context);
  rotateToken(api, context);
}
