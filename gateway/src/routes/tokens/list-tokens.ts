import { cursorList, wholePagination } from "../pages.ts";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { tokenSchema, tokenView } from "./token-view.ts";

export function registerListTokensRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/tokens",
    {
      config: { scope: "tokens:read", violationCode: "invalid_request" },
      schema: {
        operationId: "listTokens",
        tags: ["Tokens"],
        summary: "List your active tokens",
        response: { 200: cursorList("Your tokens that are neither revoked nor expired", tokenSchema) },
      },
    },
    async (request, reply) => {
      const { tokens } = await context.clients.tokens.listTokens({}, rpcOptions(context, request));
      return respond(context, reply, { data: tokens.map(tokenView), pagination: wholePagination });
    },
  );
}
