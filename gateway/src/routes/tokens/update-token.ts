import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { tokenParams, documentedUpdateToken } from "./token-input.ts";
import { tokenSchema, tokenView } from "./token-view.ts";

export function registerUpdateTokenRoute(api: Api, context: GatewayContext): void {
  api.patch(
    "/tokens/:tokenId",
    {
      config: {
        scope: "tokens:write",
        violationCode: "invalid_request",
        idempotent: true,
        errors: ["token_not_found"],
      },
      schema: {
        operationId: "updateToken",
        tags: ["Tokens"],
        summary: "Change a token's name or scopes",
        params: tokenParams,
        body: documentedUpdateToken,
        response: { 200: envelope("The updated token", tokenSchema) },
      },
    },
    async (request, reply) => {
      const { tokenId } = request.params;
      const change = { tokenId, bodyJson: request.bodyText! };
      const { token } = await context.clients.tokens.updateToken(change, rpcOptions(context, request));
      context.identities.forget(tokenId);
      return respond(context, reply, { data: tokenView(token) });
    },
  );
}
