import { Counter, type Registry } from "@canvass/telemetry";
import type { FastifyReply } from "fastify";
import type { RateLimitStatus } from "./call-counter.ts";

/**
 * Returns a function that sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). For a refusal
 * it also sets `Retry-After`, and counts it in the metrics.
 */
export function createRateLimitReporter(
  name: string,
  quota: number,
  metrics: Registry,
): (status: RateLimitStatus, reply: FastifyReply) => void {
  const policy = `"${name}";q=${quota};w=60`;
  const refused = refusals(metrics).labels({ limit: name });
  return ({ allowed, remaining, resetsInSeconds }, reply) => {
    reply.header("ratelimit-policy", policy);
    reply.header("ratelimit", `"${name}";r=${remaining};t=${resetsInSeconds}`);
    if (allowed) return;
    reply.header("retry-after", resetsInSeconds);
    refused.inc();
  };
}

function refusals(metrics: Registry): Counter<"limit"> {
  const name = "canvass_rate_limited_requests_total";
  const known = metrics.getSingleMetric(name) as Counter<"limit"> | undefined;
  return (
    known ??
    new Counter({
      name,
      help: "Requests refused beyond a rate limit",
      labelNames: ["limit"] as const,
      registers: [metrics],
    })
  );
}
