import { surveyDocumentSchema } from "@canvass/questions";
import type { GatewayConfig } from "../../config.ts";
import type { GatewayContext } from "../../context.ts";
import { apiUrl } from "../../plugins/openapi/openapi.ts";
import { holdDocument, type HeldDocument } from "../../plugins/responses/held-document.ts";
import type { Api } from "../api.ts";

const path = "/survey-document.schema.json";

export const documentSchemaUrl = (config: GatewayConfig): string => apiUrl(config) + path;

/** The JSON Schema of documents without envelope, by which editors complete and check them (contract 6.14). */
export function registerGetDocumentSchemaRoute(api: Api, { config }: GatewayContext): void {
  let document: HeldDocument | undefined;
  api.get(
    path,
    {
      config: { scope: "public", limit: "documents", etag: true },
      schema: {
        operationId: "getSurveyDocumentSchema",
        tags: ["Service"],
        summary: "Get the JSON Schema of survey documents",
        response: { 200: { type: "object", description: "JSON Schema", additionalProperties: true } },
      },
    },
    async (_request, reply) => {
      document ??= holdDocument(JSON.stringify(schemaAt(documentSchemaUrl(config))));
      reply.headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-cache" });
      return reply.send(document(reply));
    },
  );
}

const schemaAt = ($id: string) => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  $id,
  ...(withoutOwnKeywords(surveyDocumentSchema) as object),
});

/** Drops the keywords of this API and of OpenAPI. */
function withoutOwnKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOwnKeywords);
  if (typeof schema !== "object" || schema === null) return schema;
  const own = Object.entries(schema).filter(([key]) => !key.startsWith("x-") && key !== "discriminator");
  return Object.fromEntries(own.map(([key, value]) => [key, withoutOwnKeywords(value)]));
}
