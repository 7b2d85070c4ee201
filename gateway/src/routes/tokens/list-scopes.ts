import { defaultScopes, scopes, allScopes } from "@canvass/access";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { envelope, named, words } from "../schemas.ts";

const data = {
  scopes: Object.fromEntries(Object.entries(scopes).map(([scope, { description }]) => [scope, description])),
  default_scopes: defaultScopes,
};

const scopesSchema = named("Scopes", {
  scopes: Type.Record(Type.String(), Type.String(), {
    description: "all scopes that can be granted, with a description",
  }),
  default_scopes: Type.Array(words(allScopes, { title: "Scope" }), {
    description: "the scopes of a token that is created without `scopes`",
  }),
});

export function registerListScopesRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/tokens/scopes",
    {
      config: { scope: "any_token", violationCode: "invalid_request" },
      schema: {
        operationId: "listScopes",
        tags: ["Tokens"],
        summary: "List grantable scopes",
        response: { 200: envelope("All scopes, and the default set", scopesSchema) },
      },
    },
    async (_request, reply) => respond(context, reply, { data }),
  );
}
