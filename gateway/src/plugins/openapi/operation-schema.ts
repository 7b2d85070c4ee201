import { isScope, scopes } from "@canvass/access";
import type { ErrorCode } from "@canvass/errors";
import type { FastifyContextConfig, FastifySchema } from "fastify";
import { headerParametersOf } from "./header-parameters.ts";
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
  // A malformed key and a condition without effect are header violations: always 422.
  add(true, "validation_failed");
  add(config.idempotent, "idempotency_key_reused", "idempotency_in_progress");
  add(config.ifMatch === "required", "precondition_required");
  add(config.ifMatch, "precondition_failed");
  add(hasToken, "service_unavailable", "deadline_exceeded");
  add(true, "request_timeout", "request_header_fields_too_large", "internal_error");
  return [...codes];
}

function needsPower({ scope }: FastifyContextConfig): boolean {
  return scope !== undefined && isScope(scope) && scopes[scope].power !== null;
}

export function operationSchema(route: DescribedRoute): object {
  const { schema, config } = route;
  if (schema.hide || config.scope === undefined) return { hide: true };
  return {
    ...schema,
    ...(config.scope === "public" && { security: [] }),
    "x-required-scope": config.scope,
    "x-error-codes": errorCodesOf(route),
    "x-own-error-codes": config.errors,
    "x-header-parameters": headerParametersOf(config, route.method),
    "x-answer-headers": responseHeaders(config),
    "x-body-optional": config.bodyOptional,
  };
}

function responseHeaders({ scope, limit, etag, idempotent }: FastifyContextConfig): HeaderName[] {
  const names: HeaderName[] = ["X-Request-Id"];
  if (scope !== "public" ? limit !== false : limit) names.push("RateLimit", "RateLimit-Policy");
  if (etag) names.push("ETag");
  if (idempotent) names.push("Idempotent-Replayed");
  return names;
}
