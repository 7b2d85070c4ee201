import { Histogram } from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";
import type { GatewayContext } from "../context.ts";

const slowMs = 1_000;

/** Measures every request by its route's template, and logs it: at `info` when it failed on our side or was slow. */
export function requestLog(app: FastifyInstance, { log, metrics }: GatewayContext): void {
  const duration = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "Duration of HTTP requests",
    labelNames: ["http_request_method", "http_route", "http_response_status_code"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });
  const debugging = log.isLevelEnabled("debug");

  app.addHook("onResponse", (request, reply, done) => {
    const { method, id: requestId } = request;
    const { statusCode: status } = reply;
    const route = request.is404 ? "" : request.routeOptions.url;
    const ms = performance.now() - request.startedAt;
    duration.observe({ http_request_method: method, http_route: route, http_response_status_code: status }, ms / 1000);
    if (status >= 500 || ms >= slowMs) log.info({ requestId, method, route, status, ms: Math.round(ms) }, "request");
    else if (debugging) log.debug({ requestId, method, route, status, ms: Math.round(ms) }, "request");
    done();
  });
}
