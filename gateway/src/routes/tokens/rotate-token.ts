import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { isoTime, isoTimeOrNull } from "../../plugins/responses/timestamps.ts";
import { tokenParams } from "./token-input.ts";
import { rotatedTokenSchema } from "./token-view.ts";

export function registerRotateTokenRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/tokens/:tokenId/rotate",
    {
      config: { scope: "tokens:write", violationCode: "invalid_request", errors: ["token_not_found"] },
      schema: {
        operationId: "rotateToken",
        tags: ["Tokens"],
        summary: "Replace a token with a new one",
        description:
          "The new token has the same name, scopes and expiry; the old one stops working at once. Not replayed by `Idempotency-Key`, because the response contains a secret.",
        params: tokenParams,
        response: { 201: envelope("The new token with its value", rotatedTokenSchema) },
      },
    },
    async (request, reply) => {
      const { tokenId } = request.params;
      const rotation = await context.clients.tokens.rotateToken({ tokenId }, rpcOptions(context, request));
      context.identities.forget(tokenId);
      const token = requireMessage(rotation.token);
      created(reply, `/tokens/${token.tokenId}`);
      return respond(context, reply, {
        data: {
          token: rotation.tokenValue,
          id: token.tokenId,
          name: token.name,
          scopes: token.scopes,
          expires_at: isoTimeOrNull(token.expiresAt),
          created_at: isoTime(token.createdAt),
          old_token_id: rotation.oldTokenId,
        },
      });
    },
  );
}
