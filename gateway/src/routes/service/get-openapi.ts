import type { GatewayContext } from "../../context.ts";
import { holdDocument, type HeldDocument } from "../../plugins/responses/held-document.ts";
import type { Api } from "../api.ts";

/** The OpenAPI document without envelope, as tools expect it (contract 1.5). */
export function registerGetOpenapiRoute(api: Api, { documentAtStart }: GatewayContext): void {
  let made: HeldDocument | undefined;
  const document = () => (made ??= holdDocument(JSON.stringify(api.swagger())));
  // All routes are registered by then, and no request waits for the build.
  if (documentAtStart) api.addHook("onReady", async () => void document());
  api.get(
    "/openapi.json",
    {
      config: { scope: "public", limit: "documents", etag: true },
      schema: {
        operationId: "getOpenapi",
        tags: ["Service"],
        summary: "Get this document",
        response: { 200: { type: "object", description: "OpenAPI 3.1", additionalProperties: true } },
      },
    },
    async (_request, reply) => {
      reply.headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-cache" });
      return reply.send(document()(reply));
    },
  );
}
