import { AppError } from "@canvass/errors";
import { checkShape, closed, groupViolations, type Violation } from "@canvass/inputs";
import { cutDetails } from "@canvass/rpc";
import type { FastifyContextConfig, FastifyRequest, FastifySchema } from "fastify";
import type { TObject, TSchema } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { requireMediaType } from "../body/media-type.ts";
import { requireNoCoding } from "../body/uploads.ts";
import type { Guard } from "../guards/guard.ts";
import { checkQuery, checkQueryEncoding, convertQuery } from "./check-query.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { impossibleIdError, missingIdError } from "./path-ids.ts";
import { isIfMatch } from "../responses/etag.ts";

const nothing = closed({});

/**
 * Refuses other media types (415), missing parts (400), malformed headers (422) and queries (422, or `violationCode`),
 * and impossible ids (403, 404; contract 1.7).
 */
export function edgeChecks(
  context: GatewayContext,
  { schema, config }: { schema: FastifySchema; config: FastifyContextConfig },
): Guard {
  const query = (schema.querystring ?? nothing) as TObject;
  const body = schema.body as TSchema | undefined;
  const bodyRequired = body !== undefined && !config.bodyOptional;

  function refuseMissing(request: FastifyRequest): void {
    if (config.upload) requireNoCoding(request);
    if (schema.consumes) requireMediaType(request, [...schema.consumes, ...(config.otherBodyTypes ?? [])]);
    // Clients that have nothing to send write null.
    if (!bodyRequired && request.body === null) request.bodyText = null;
    if (bodyRequired && (request.body === undefined || request.body === null)) {
      throw new AppError("invalid_request", { body: ["is required"] });
    }
    const missing = missingIdError(request.params as Record<string, string>);
    if (missing) throw missing;
  }

  function readKey(request: FastifyRequest): Violation | undefined {
    const key = config.idempotent && readIdempotencyKey(request, context.now());
    if (key === undefined) return undefined;
    if ("path" in key) return key;
    request.idempotency = key;
    return undefined;
  }

  function queryViolations(request: FastifyRequest): Violation[] {
    const violations: Violation[] = [];
    checkQueryEncoding(request.url, violations);
    const values = convertQuery(query, request.query as Record<string, unknown>);
    checkQuery(query, values, violations);
    request.query = values;
    return violations;
  }

  function checkBody(request: FastifyRequest, violations: Violation[]): void {
    if (request.bodyText !== null) checkShape(body ?? nothing, request.body, "", violations);
  }

  return (request, _reply, done) => {
    refuseMissing(request);
    const ofKey = readKey(request);
    const headerViolations = [...(ofKey ? [ofKey] : []), ...conditionViolations(request, config)];
    const violations = [...headerViolations, ...queryViolations(request)];
    // Reports violations of the body together with others. Alone, they are left to the owning service.
    if (violations.length > 0 || body === undefined) checkBody(request, violations);
    // Header violations are 422 and take precedence over violations that are 400.
    const code = headerViolations.length > 0 ? "validation_failed" : (config.violationCode ?? "validation_failed");
    if (violations.length > 0) throw new AppError(code, cutDetails(groupViolations(violations)));
    const impossible = body === undefined && impossibleIdError(request.params as Record<string, string>);
    if (impossible) throw impossible;
    done();
  };
}

const withoutEffect = "has no effect on this operation; leave it out";
const malformed = "must be * or entity tags in double quotes, as `ETag` and `meta.etag` have them";

/**
 * Returns violations of `If-Match` and `If-None-Match` (contract 3.2, 3.3). A condition that the operation would not
 * check is a violation, because its sender relies on it. A read without entity tags fulfils every `If-None-Match`.
 */
function conditionViolations(
  { method, headers }: Pick<FastifyRequest, "method" | "headers">,
  { ifMatch }: FastifyContextConfig,
): Violation[] {
  const violations: Violation[] = [];
  const expected = headers["if-match"]?.trim() ?? "*";
  if (expected !== "" && expected !== "*") {
    if (!ifMatch) violations.push({ path: "If-Match", message: withoutEffect });
    else if (!isIfMatch(expected)) violations.push({ path: "If-Match", message: malformed });
  }
  const isRead = method === "GET" || method === "HEAD";
  if (headers["if-none-match"] !== undefined && !isRead) {
    violations.push({ path: "If-None-Match", message: withoutEffect });
  }
  return violations;
}
