import type { FastifyReply } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { contentEtag, matchesIfNoneMatch } from "../../etag.ts";
import type { Api } from "../api.ts";

/** The document itself, without envelope, as tools expect it (api-decisions 1). */
export function getOpenapi(api: Api, _context: GatewayContext): void {
  let document: Document | undefined;
  api.get(
    "/openapi.json",
    {
      config: { scope: "public", limit: false, etag: true },
      schema: {
        operationId: "getOpenapi",
        tags: ["Service"],
        summary: "Get this document",
        response: { 200: { type: "object", description: "OpenAPI 3.1", additionalProperties: true } },
      },
    },
    async (_request, reply) => {
      // Complete only when every route is there, and the same from then on.
      document ??= describe(api);
      return sendDocument(reply, document);
    },
  );
}

interface Document {
  text: string;
  etag: string;
}

function describe(api: Api): Document {
  const text = JSON.stringify(api.swagger());
  return { text, etag: contentEtag(text) };
}

function sendDocument(reply: FastifyReply, { text, etag }: Document): FastifyReply {
  reply.headers({ etag, "cache-control": "no-cache" });
  const known = reply.request.headers["if-none-match"];
  if (known !== undefined && matchesIfNoneMatch(known, etag)) return reply.code(304).send();
  return reply.header("content-type", "application/json; charset=utf-8").send(text);
}
