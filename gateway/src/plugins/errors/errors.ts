import { AppError, errorCatalogue } from "@canvass/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { expiryOf } from "../authentication/identity.ts";
import { shapeError } from "../edge-checks/shape-check.ts";
import { errorAnswer, errorHeaders } from "./error-answer.ts";
import { toAppError } from "./to-app-error.ts";

/** Sends a failed request's error envelope. */
export function sendError(context: GatewayContext, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const shown = shownError(context, error, request);
  if (request.raw.socket.destroyed) return;
  for (const [name, value] of Object.entries(errorHeaders(shown))) {
    if (!reply.hasHeader(name)) reply.header(name, value);
  }
  reply.code(errorCatalogue[shown.code].status);
  reply.header("content-type", "application/json; charset=utf-8");
  reply.send(JSON.stringify(errorAnswer(shown, request.id, context.now())));
}

/**
 * The error as the caller may see it. What is no error of the catalogue is logged and hidden. When the caller has left,
 * calls fail because of that: nothing is logged, unless it shows a defect.
 */
export function shownError(context: GatewayContext, error: unknown, request: FastifyRequest): AppError {
  const known = forCaller(context, toAppError(error), request);
  if (!known)
    context.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, "a request failed");
  else if (known.cause && !request.raw.socket.destroyed)
    context.log.warn({ err: known.cause, requestId: request.id }, known.code);
  const shown = edgeRefusal(known, request) ?? known ?? new AppError("internal_error");
  request.errorCode = shown.code;
  return shown;
}

/** What the edge found wrong is told, too, when the service that should add to it fails. */
function edgeRefusal(error: AppError | undefined, { edgeFaults, routeOptions }: FastifyRequest): AppError | undefined {
  const isTold = error !== undefined && errorCatalogue[error.code].status < 500;
  return isTold || !edgeFaults?.length ? undefined : shapeError(edgeFaults, routeOptions.config.faultCode);
}

/**
 * Whoever got past authentication has a valid token: when a service does not accept our word for it, either the token
 * has expired on the way, or two of our processes disagree, and the caller can do nothing about that.
 */
function forCaller(
  { now }: GatewayContext,
  error: AppError | undefined,
  { identity }: FastifyRequest,
): AppError | undefined {
  if (error?.code !== "unauthorized" || identity === null) return error;
  return expiryOf(identity.caller) <= now().getTime() ? new AppError("token_expired") : undefined;
}

/** Makes every failure of a request an error envelope. */
export function errors(app: FastifyInstance, context: GatewayContext): void {
  app.setErrorHandler((error, request, reply) => sendError(context, error, request, reply));
}
