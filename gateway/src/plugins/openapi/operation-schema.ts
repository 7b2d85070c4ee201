import { isScope, scopes } from "@canvass/access";
import { errorCatalogue, type ErrorCode } from "@canvass/errors";
import type { FastifyContextConfig, FastifySchema } from "fastify";
import { idPattern } from "@canvass/values";
import type { HeaderName } from "./response-headers.ts";

export interface DescribedRoute {
  schema: FastifySchema;
  config: FastifyContextConfig;
  method: string;
}

export function errorCodesOf({ schema, config, method }: DescribedRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>(config.errors);
  const add = (when: unknown, ...more: ErrorCode[]) => when && more.forEach((code) => codes.add(code));
  const hasToken = config.scope !== "public";
  add(hasToken, "unauthorized", "invalid_token", "token_expired", "workspace_not_accessible", "rate_limited");
  add(hasToken && config.scope !== "any_token", "insufficient_scope");
  add(config.respondentToken, "unauthorized", "invalid_token");
  add(needsPower(config), "forbidden");
  add(config.limit, "rate_limited");
  // Every method that may have a body parses it.
  add(method !== "GET", "malformed_json", "invalid_request", "payload_too_large", "unsupported_media_type");
  // For a missing id in the path.
  add(schema.params, "invalid_request");
  // Every operation refuses unknown parameters.
  codes.add(config.violationCode ?? "validation_failed");
  // A malformed key and an `If-Match` without effect are header violations: always 422.
  add(method !== "GET", "validation_failed");
  add(config.idempotent, "idempotency_key_reused", "idempotency_in_progress");
  add(config.ifMatch === "required", "precondition_required");
  add(config.ifMatch, "precondition_failed");
  add(hasToken, "service_unavailable", "deadline_exceeded");
  add(true, "request_timeout", "request_header_fields_too_large", "internal_error");
  return [...codes];
}

/** `*`, or entity tags (RFC 9110, 13.1.1). Anything else matches no resource. */
const tag = String.raw`(W/)?"[\x21\x23-\x7e]*"`;
const entityTagsPattern = `^(\\*|${tag}( *, *${tag})*)$`;

function needsPower({ scope }: FastifyContextConfig): boolean {
  return scope !== undefined && isScope(scope) && scopes[scope].power !== null;
}

export function operationSchema(route: DescribedRoute): object {
  const { schema, config } = route;
  if (schema.hide || config.scope === undefined) return { hide: true };
  const headers = headerFields(route);
  return {
    ...schema,
    ...(Object.keys(headers).length > 0 && {
      headers: { type: "object", properties: headers, required: required(config) },
    }),
    security: config.scope === "public" ? [] : [{ bearer: [] }],
    "x-required-scope": config.scope,
    "x-error-codes": errorCodesOf(route),
    "x-answer-headers": responseHeaders(config),
    "x-body-optional": config.bodyOptional,
    "x-body-types": config.bodyTypes,
  };
}

const required = ({ ifMatch, respondentToken }: FastifyContextConfig): string[] => [
  ...(ifMatch === "required" ? ["If-Match"] : []),
  ...(respondentToken ? ["X-Respondent-Token"] : []),
];

function responseHeaders({ scope, limit, etag, idempotent }: FastifyContextConfig): HeaderName[] {
  const names: HeaderName[] = ["X-Request-Id"];
  if (scope !== "public" ? limit !== false : limit) names.push("RateLimit", "RateLimit-Policy");
  if (etag) names.push("ETag");
  if (idempotent) names.push("Idempotent-Replayed");
  return names;
}

function headerFields({ config, method }: DescribedRoute): Record<string, object> {
  const { scope, idempotent, ifMatch, etag } = config;
  return {
    ...(scope !== "public" && {
      "X-Workspace-ID": { type: "string", pattern: idPattern, description: "default: the token's own workspace" },
    }),
    ...(config.respondentToken && {
      "X-Respondent-Token": { type: "string", description: "`sessionToken` of the start" },
    }),
    ...(idempotent && {
      "Idempotency-Key": {
        type: "string",
        minLength: 1,
        maxLength: 128,
        pattern: "^[\\x21-\\x7e]+$",
        description: "makes repeating this request safe",
      },
    }),
    ...(etag &&
      method === "GET" && {
        "If-None-Match": { type: "string", description: "an ETag you have: 304 when it is still the present one" },
      }),
    ...(ifMatch && {
      "If-Match": {
        type: "string",
        pattern: entityTagsPattern,
        description: "the resource's ETag, or *",
        examples: ["*"],
      },
    }),
  };
}

export const statusOf = (code: ErrorCode): number => errorCatalogue[code].status;
