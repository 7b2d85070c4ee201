import { callOptions } from "@canvass/rpc";
import type { FastifyRequest } from "fastify";
import { clientAddress } from "../client-address/client-address.ts";
import type { GatewayConfig } from "../config.ts";
import type { GatewayContext } from "../context.ts";

/** The deadline of routes that count answers, in usual deadlines. Counting is scheduled so that it delays no others. */
const countingDeadlines = 3;

/** Returns the milliseconds that a request may take. */
export function requestDeadlineMs(
  { CANVASS_REQUEST_TIMEOUT_MS: usual }: Pick<GatewayConfig, "CANVASS_REQUEST_TIMEOUT_MS">,
  { routeOptions }: Pick<FastifyRequest, "routeOptions">,
): number {
  return routeOptions.config.countsAnswers ? usual * countingDeadlines : usual;
}

/** Returns a request's call options; the timeout is its remaining time. A replayed response sets `request.replay`. */
export function rpcOptions({ config }: GatewayContext, request: FastifyRequest) {
  const spent = performance.now() - request.startedAt;
  return callOptions({
    signedCaller: request.identity?.signedCaller,
    requestId: request.id,
    clientAddress: clientAddress(request),
    traceparent: request.trace?.traceparent,
    idempotency: request.idempotency ?? undefined,
    timeoutMs: Math.max(1, requestDeadlineMs(config, request) - spent),
    onReplay: (replay) => {
      request.replay = replay;
    },
  });
}
