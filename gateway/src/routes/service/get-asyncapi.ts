import type { GatewayContext } from "../../context.ts";
import { holdDocument, type HeldDocument } from "../../plugins/responses/held-document.ts";
import { asyncapiDocument } from "../../plugins/openapi/asyncapi-document.ts";
import { apiUrl } from "../../plugins/openapi/openapi.ts";
import type { Api } from "../api.ts";

/** The AsyncAPI document of the events, without envelope (contract 9.2). */
export function registerGetAsyncapiRoute(api: Api, { config }: GatewayContext): void {
  let document: HeldDocument | undefined;
  api.get(
    "/asyncapi.json",
    {
      config: { scope: "public", limit: "documents", etag: true },
      schema: {
        operationId: "getAsyncapi",
        tags: ["Service"],
        summary: "Get the events as an AsyncAPI document",
        response: { 200: { type: "object", description: "AsyncAPI 3.0", additionalProperties: true } },
      },
    },
    async (_request, reply) => {
      document ??= holdDocument(JSON.stringify(asyncapiDocument(apiUrl(config))));
      reply.headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-cache" });
      return reply.send(document(reply));
    },
  );
}
