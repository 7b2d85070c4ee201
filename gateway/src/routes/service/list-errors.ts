import { cursorList, wholePagination } from "../pages.ts";
import { errorCatalogue } from "@canvass/errors";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { named, errorCode } from "../schemas.ts";

const data = Object.entries(errorCatalogue).map(([code, definition]) => ({ code, ...definition }));

const errorSchema = named("ErrorDefinition", {
  code: errorCode,
  status: Type.Integer(),
  message: Type.String(),
  suggestion: Type.String(),
  retryable: Type.Boolean(),
});

export function registerListErrorsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/errors",
    {
      config: { scope: "any_token" },
      schema: {
        operationId: "listErrors",
        tags: ["Service"],
        summary: "List every error code",
        response: { 200: cursorList("All error codes with what to do about them", errorSchema) },
      },
    },
    async (_request, reply) => respond(context, reply, { data, pagination: wholePagination }),
  );
}
