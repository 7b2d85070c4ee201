import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, named } from "../schemas.ts";
import { tokenParams } from "./token-input.ts";

export function registerRevokeTokenRoute(api: Api, context: GatewayContext): void {
  api.delete(
    "/tokens/:tokenId",
    {
      config: {
        scope: "tokens:write",
        violationCode: "invalid_request",
        idempotent: true,
        errors: ["token_not_found"],
      },
      schema: {
        operationId: "revokeToken",
        tags: ["Tokens"],
        summary: "Revoke a token",
        params: tokenParams,
        response: { 200: envelope("The token is revoked", named("RevokedToken", { message: Type.String() })) },
      },
    },
    async (request, reply) => {
      const { tokenId } = request.params;
      await context.clients.tokens.revokeToken({ tokenId }, rpcOptions(context, request));
      context.identities.forget(tokenId);
      return respond(context, reply, { data: { message: "The token has been revoked." } });
    },
  );
}
