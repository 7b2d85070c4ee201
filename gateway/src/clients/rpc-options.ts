import { callOptions } from "@canvass/rpc";
import type { FastifyRequest } from "fastify";
import { clientAddress } from "../client-address/client-address.ts";
import type { GatewayContext } from "../context.ts";

/** Returns a request's call options; the timeout is its remaining time. A replayed response sets `request.replay`. */
export function rpcOptions({ config }: GatewayContext, request: FastifyRequest) {
  const spent = performance.now() - request.startedAt;
  return callOptions({
    signedCaller: request.identity?.signedCaller,
    requestId: request.id,
    clientAddress: clientAddress(request),
    traceparent: request.trace?.traceparent,
    idempotency: request.idempotency ?? undefined,
    timeoutMs: Math.max(1, config.CANVASS_REQUEST_TIMEOUT_MS - spent),
    onReplay: (replay) => {
      request.replay = replay;
    },
  });
}
