import type { FastifyInstance, FastifyRequest } from "fastify";
import type { GatewayConfig } from "../../../config.ts";
import type { GatewayContext } from "../../../context.ts";
import { maxBodyBytes } from "../body-parsing.ts";
import { requireUtf8 } from "../charset.ts";
import { acceptLargeBodies } from "../accept-large-bodies.ts";
import type { DocumentConverter } from "./convert-document.ts";
import { readDocument } from "./read-document.ts";

export const yamlType = "application/yaml";

/** Limit of a document, as sent and inflated. The largest survey with the longest keys fits. */
export const mostDocumentBytes = 12 * 1_048_576;

declare module "fastify" {
  interface FastifyRequest {
    /** The document that was sent, as JSON without blanks. */
    documentJson: string;
  }
}

/**
 * Lets the routes of `scope` accept large documents as JSON or YAML (RFC 9512). The service validates `documentJson`.
 */
export function acceptDocumentBodies(
  scope: FastifyInstance,
  { config, bodyPermits }: Pick<GatewayContext, "config" | "bodyPermits">,
  converter: DocumentConverter,
): void {
  scope.decorateRequest("documentJson", "");
  acceptLargeBodies(scope, bodyPermits);
  scope.removeContentTypeParser("application/json");
  for (const type of ["application/json", yamlType]) {
    const read = async (request: FastifyRequest, bytes: Buffer): Promise<unknown> => {
      const { headers, identity } = request;
      requireUtf8(headers["content-type"]);
      if (bytes.length === 0) return undefined;
      const coding = headers["content-encoding"];
      const conversion = {
        kind: "read",
        isYaml: type === yamlType,
        bytes,
        coding,
        mostBytes: mostDocumentBytes,
      } as const;
      // JSON of the size of other bodies takes a few milliseconds, less than passing it to a thread.
      const isSmall = !conversion.isYaml && coding === undefined && bytes.length <= maxBodyBytes;
      const { text, digest } = isSmall
        ? readDocument(conversion, (text) => text)
        : await converter.convert(identity!.caller.workspaceId, conversion, remainingMs(config, request));
      // A retry has the same bytes, so it has the same digest.
      request.bodyBytes = Buffer.from(digest, "hex");
      request.documentJson = text;
      return text === "null" ? null : {};
    };
    scope.addContentTypeParser<Buffer>(type, { parseAs: "buffer", bodyLimit: mostDocumentBytes }, read);
  }
}

export function remainingMs(
  { CANVASS_REQUEST_TIMEOUT_MS: timeoutMs }: Pick<GatewayConfig, "CANVASS_REQUEST_TIMEOUT_MS">,
  { startedAt }: Pick<FastifyRequest, "startedAt">,
): number {
  return timeoutMs - (performance.now() - startedAt);
}
