import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { documentedCreateToken } from "./token-input.ts";
import { createdTokenSchema } from "./token-view.ts";

export function registerCreateTokenRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/tokens",
    {
      config: {
        scope: "tokens:write",
        violationCode: "invalid_request",
      },
      schema: {
        operationId: "createToken",
        tags: ["Tokens"],
        summary: "Create a token",
        description: "Not replayed by `Idempotency-Key`, because the response contains a secret.",
        body: documentedCreateToken,
        response: { 201: envelope("The new token with its value", createdTokenSchema) },
      },
    },
    async (request, reply) => {
      const { token, tokenValue } = await context.clients.tokens.createToken(
        { bodyJson: request.bodyText! },
        rpcOptions(context, request),
      );
      const made = requireMessage(token);
      created(reply, `/tokens/${made.tokenId}`);
      return respond(context, reply, {
        data: { token: tokenValue, id: made.tokenId, name: made.name, scopes: made.scopes },
      });
    },
  );
}
