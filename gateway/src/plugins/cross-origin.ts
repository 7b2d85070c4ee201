import { isAllowedOrigin } from "@canvass/respondent-page";
import cors from "@fastify/cors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { GatewayConfig } from "../config.ts";
import type { GatewayContext } from "../context.ts";
import type { GuessLimit } from "./rate-limits/guess-limit.ts";

/** The origins of `CANVASS_CORS_ORIGINS`, as browsers write them. */
export function listedOrigins({
  CANVASS_CORS_ORIGINS: listed = "",
}: Pick<GatewayConfig, "CANVASS_CORS_ORIGINS">): Set<string> {
  const origins = listed.split(",").filter((origin) => origin.trim() !== "");
  return new Set(origins.map((origin) => new URL(origin.trim()).origin));
}

/** Allows configured origins, and pages that may embed a link. No credentials, because pages send tokens themselves. */
export async function registerCrossOrigin(
  app: FastifyInstance,
  { config }: Pick<GatewayContext, "config">,
  { findLink }: Pick<GuessLimit, "findLink">,
): Promise<void> {
  const allowed = listedOrigins(config);

  async function mayEmbed(request: FastifyRequest, origin: string, code: string): Promise<boolean> {
    // If the look-up fails, so will the request itself, which reports the error.
    const link = await findLink(request, code).catch(() => undefined);
    return link !== undefined && isAllowedOrigin(origin, link.allowedOrigins);
  }

  await app.register(cors, {
    delegator: (request: FastifyRequest, decide) => {
      const { method, headers, url } = request;
      const { origin, "access-control-request-method": wanted } = headers;
      // OPTIONS without a requested method is not a preflight and gets an ordinary 405.
      const isPlainOptions = method === "OPTIONS" && wanted === undefined;
      const answer = (may: boolean) => decide(null, may && origin ? { origin, ...permissions } : { origin: false });
      const code = codeIn(url);
      if (origin === undefined || isPlainOptions || code === undefined || allowed.has(origin)) {
        answer(!isPlainOptions && origin !== undefined && allowed.has(origin));
      } else void mayEmbed(request, origin, code).then(answer);
    },
  });
  if (allowed.size > 0) return;
  // The plugin sets `Vary` on every response. Without configured origins, only responses of links depend on the origin.
  app.addHook("onRequest", (request, reply, done) => {
    if (codeIn(request.url) === undefined) reply.removeHeader("vary");
    done();
  });
}

const publicLink = /^\/public\/v1\/links\/([A-Za-z0-9_-]+)/;

const codeIn = (target: string): string | undefined => publicLink.exec(target)?.[1];

const permissions = {
  methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  allowedHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Protocol-Version",
    "Traceparent",
    "X-Request-Id",
    "X-Respondent-Token",
    "X-Workspace-ID",
  ],
  exposedHeaders: [
    "Allow",
    "ETag",
    "Idempotent-Replayed",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "X-Request-Id",
  ],
  maxAge: 600,
};
