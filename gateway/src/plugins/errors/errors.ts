import { AppError, errorCatalogue } from "@canvass/errors";
import { traceField } from "@canvass/telemetry";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { expiryOf } from "../../batches/identity.ts";
import { foreignTags } from "../responses/etag.ts";
import { errorResponse, errorHeaders } from "./error-response.ts";
import { sessionWords } from "./session-words.ts";
import { toAppError } from "./to-app-error.ts";

export function sendError(context: GatewayContext, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const shown = shownError(context, error, request);
  if (request.raw.socket.destroyed) return;
  const at = context.now();
  // On public routes the refused token is a respondent's session token.
  const words = request.routeOptions.config.scope === "public" ? sessionWords[shown.code] : undefined;
  const headers = { ...errorHeaders(shown, at, words), ...acceptHeader(shown, request) };
  for (const [name, value] of Object.entries(headers)) {
    if (!reply.hasHeader(name)) reply.header(name, value);
  }
  reply.code(errorCatalogue[shown.code].status);
  reply.header("content-type", "application/json; charset=utf-8");
  reply.send(JSON.stringify(errorResponse(shown, request.id, at, words)));
}

/**
 * Returns the error that the caller sees, and notes its code on the request. Logs defects, which become
 * `internal_error`, and other causes unless the caller has disconnected.
 */
export function shownError(context: GatewayContext, error: unknown, request: FastifyRequest): AppError {
  const known = forCaller(context, explained(toAppError(error), request), request);
  const about = { requestId: request.id, ...traceField(request.trace?.traceparent) };
  if (!known) context.log.error({ err: error, ...about, route: request.routeOptions.url }, "a request failed");
  else if (known.cause && !request.raw.socket.destroyed) context.log.warn({ err: known.cause, ...about }, known.code);
  const shown = known ?? new AppError("internal_error");
  request.errorCode = shown.code;
  return shown;
}

/** Adds the accepted media types, or that a proxy changed the tag: reading the resource again would not help. */
function explained(error: AppError | undefined, request: FastifyRequest): AppError | undefined {
  if (error?.code === "unsupported_media_type" && Object.keys(error.details).length === 0) {
    return new AppError(error.code, { "Content-Type": [`must be ${takenTypes(request).join(" or ")}`] });
  }
  const violation = error?.code === "precondition_failed" && foreignTags(request.headers["if-match"] ?? "");
  return violation
    ? new AppError("precondition_failed", { "If-Match": [violation] }, `The tag in \`If-Match\` ${violation}.`)
    : error;
}

/** `unauthorized` from a service means that the token just expired, or that processes disagree, which is a defect. */
function forCaller(
  { now }: GatewayContext,
  error: AppError | undefined,
  { identity }: FastifyRequest,
): AppError | undefined {
  if (error?.code !== "unauthorized" || identity === null) return error;
  return expiryOf(identity.caller) <= now().getTime() ? new AppError("token_expired") : undefined;
}

export function registerErrorHandlers(app: FastifyInstance, context: GatewayContext): void {
  app.setErrorHandler((error, request, reply) => sendError(context, error, request, reply));
}

const headerOf: Record<string, string> = { POST: "accept-post", PATCH: "accept-patch" };

/** Returns the accepted media types as `Accept-Post` (W3C LDP) or `Accept-Patch` (RFC 5789). */
function acceptHeader({ code }: Pick<AppError, "code">, request: FastifyRequest): Record<string, string> {
  const name = code === "unsupported_media_type" ? headerOf[request.method] : undefined;
  return name === undefined ? {} : { [name]: takenTypes(request).join(", ") };
}

function takenTypes({ routeOptions: { config, schema } }: FastifyRequest): string[] {
  return [...(schema?.consumes ?? ["application/json"]), ...(config.otherBodyTypes ?? [])];
}
