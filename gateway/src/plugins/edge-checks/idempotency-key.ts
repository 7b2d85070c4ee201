import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { idempotencyKeyPattern, type Violation } from "@canvass/inputs";
import { IdempotencySchema, type Idempotency } from "@canvass/proto/rpc";
import type { FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { declaredCharset } from "../body/charset.ts";
import { respondentTokenOf } from "../authentication/respondent-token.ts";

const keyShape = new RegExp(idempotencyKeyPattern);
const noBytes = Buffer.alloc(0);

/** Reads `Idempotency-Key` (contract 3.4). A retry must have the same scope, query, media type and inflated body. */
export function readIdempotencyKey(request: FastifyRequest, answeredAt: Date): Idempotency | Violation | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !keyShape.test(key)) {
    return { path: "Idempotency-Key", message: "must have 1 to 128 visible ASCII characters" };
  }
  return create(IdempotencySchema, {
    key,
    scope: request.identity
      ? `${request.identity.caller.tokenId} ${request.method} ${plainPath(request)}`
      : `${digestOfRespondent(request)} ${request.method} ${request.routeOptions.url}`,
    bodySha256: createHash("sha256")
      .update(besideBody(request))
      .update(request.bodyBytes ?? noBytes)
      .digest(),
    requestId: request.id,
    answeredAt: timestampFromDate(answeredAt),
  });
}

/** Returns the query, and the media type unless it is JSON or an upload's, whose boundary differs with each retry. */
function besideBody({ url, headers, routeOptions }: FastifyRequest): string {
  const at = url.indexOf("?");
  const parameters = [...new URLSearchParams(at === -1 ? "" : url.slice(at))].toSorted((a, b) =>
    String(a) < String(b) ? -1 : 1,
  );
  const type = routeOptions.config.upload ? plainJson : mediaTypeOf(headers["content-type"]);
  if (parameters.length === 0 && type === plainJson) return "";
  // No JSON text starts with `?`.
  return `?${JSON.stringify([parameters, type])}`;
}

const plainJson = "application/json";

function mediaTypeOf(contentType = plainJson): string {
  const [type = ""] = contentType.split(";", 1);
  const charset = declaredCharset(contentType);
  return ["", "utf-8", "utf8"].includes(charset)
    ? type.trim().toLowerCase()
    : `${type.trim().toLowerCase()};${charset}`;
}

/** Records must not contain codes and session tokens, which are secrets. The token identifies the respondent. */
function digestOfRespondent(request: FastifyRequest): string {
  const { code = "" } = request.params as { code?: string };
  return createHash("sha256")
    .update(`${code} ${respondentTokenOf(request)}`)
    .digest("base64url");
}

/** Normalizes the path, so that a retry with other escapes has the same scope. */
function plainPath({ routeOptions, params }: FastifyRequest): string {
  const values = params as Record<string, string>;
  return routeOptions.url!.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name]!));
}
