import { AppError } from "@canvass/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { GatewayContext } from "../../context.ts";
import { serveInOrder } from "./pipelines.ts";

const requestIdShape = /^[\x21-\x7e]{1,128}$/;

/** Returns the request's own well-formed `X-Request-Id`, or a new id at each call. */
export function requestIdOf(message: IncomingMessage): string {
  const given = message.headers["x-request-id"];
  return typeof given === "string" && requestIdShape.test(given) ? given : randomUUID();
}

export function commonHeaders(publicUrl: string): Record<string, string> {
  return {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    ...(publicUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000; includeSubDomains" }),
  };
}

/** Waits for the request's turn, sets its request id and the headers of every response, and calls `go`. */
export type PrepareResponse = (request: FastifyRequest, reply: FastifyReply, go: () => void) => void;

export function createResponsePreparer(publicUrl: string): PrepareResponse {
  const headers = Object.entries(commonHeaders(publicUrl));
  return (request, reply, go) => {
    serveInOrder(request.raw, reply.raw, () => {
      // The connection is closing.
      if (!request.raw.socket.writable) return;
      request.startedAt = performance.now();
      reply.header("x-request-id", request.id);
      for (const [name, value] of headers) reply.header(name, value);
      go();
    });
  };
}

export function registerConnectionHooks(app: FastifyInstance, { config }: GatewayContext): void {
  const prepare = createResponsePreparer(config.CANVASS_PUBLIC_URL);
  app.addHook("onRequest", (request, reply, done) =>
    prepare(request, reply, () => {
      const violation = framingViolation(request.raw);
      if (violation === undefined) {
        done();
        return;
      }
      // The end of this request is uncertain, so the next bytes may not be a new request (request smuggling).
      reply.header("connection", "close");
      done(new AppError("invalid_request", {}, violation));
    }),
  );
}

/** Finds framing that servers read differently (RFC 9112, 3.2 and 7). HTTP/1.0 needs no host. */
function framingViolation({ headers, httpVersionMinor }: IncomingMessage): string | undefined {
  const { host, "transfer-encoding": coding } = headers;
  if (host === undefined ? httpVersionMinor > 0 : host.includes(",")) {
    return "The request needs exactly one `Host` header.";
  }
  if (coding !== undefined && coding.toLowerCase() !== "chunked") return "The only transfer coding is `chunked`.";
  return undefined;
}
