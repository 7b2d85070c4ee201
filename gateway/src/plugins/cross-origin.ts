import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import type { GatewayContext } from "../context.ts";

/**
 * Lets pages of the configured origins call the API from a browser. Without configuration no answer has CORS headers.
 * Pages send tokens themselves, so credentials are not allowed.
 */
export async function crossOrigin(app: FastifyInstance, { config }: Pick<GatewayContext, "config">): Promise<void> {
  const { CANVASS_CORS_ORIGINS: listed } = config;
  if (listed === undefined) return;
  const allowed = new Set(listed.split(",").map((origin) => new URL(origin.trim()).origin));
  await app.register(cors, {
    delegator: ({ method, headers }, decide) => {
      const { origin, "access-control-request-method": wanted } = headers;
      // OPTIONS without a requested method is no preflight: it gets an ordinary 405.
      const pointless = method === "OPTIONS" && wanted === undefined;
      if (origin === undefined || !allowed.has(origin) || pointless) decide(null, { origin: false });
      else decide(null, { origin, ...permissions });
    },
  });
}

const permissions = {
  methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  allowedHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Traceparent",
    "X-Request-Id",
    "X-Respondent-Token",
    "X-Workspace-ID",
  ],
  exposedHeaders: [
    "Allow",
    "ETag",
    "Idempotent-Replayed",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "X-Request-Id",
  ],
  maxAge: 600,
};
