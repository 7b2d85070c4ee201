import type { Violation } from "@canvass/inputs";
import type { FastifyContextConfig, FastifyRequest } from "fastify";
import { isIfMatch } from "../responses/etag.ts";

const withoutEffect = "has no effect on this operation; leave it out";
const malformed = "must be * or entity tags in double quotes, as `ETag` and `meta.etag` have them";

/**
 * Returns violations of `If-Match` and `If-None-Match` (contract 3.2, 3.3). A condition that the operation would not check is
 * a violation, because its sender relies on it. A read without entity tags fulfils every `If-None-Match`.
 */
export function conditionViolations(
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
