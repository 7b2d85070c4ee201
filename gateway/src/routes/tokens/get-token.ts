import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { tokenParams } from "./token-input.ts";
import { tokenSchema, tokenView } from "./token-view.ts";

export function registerGetTokenRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/tokens/:tokenId",
    {
      config: { scope: "tokens:read", violationCode: "invalid_request", errors: ["token_not_found"] },
      schema: {
        operationId: "getToken",
        tags: ["Tokens"],
        summary: "Get a token",
        params: tokenParams,
        response: { 200: envelope("The token, without its value", tokenSchema) },
      },
    },
    async (request, reply) => {
      const { token } = await context.clients.tokens.getToken(request.params, rpcOptions(context, request));
      return respond(context, reply, { data: tokenView(token) });
    },
  );
}
