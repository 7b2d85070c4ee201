import { Histogram } from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";
import type { GatewayContext } from "../../context.ts";
import type { WriteRequestLine } from "./request-lines.ts";

export function registerRequestLog(app: FastifyInstance, { metrics }: GatewayContext, write: WriteRequestLine): void {
  const duration = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "Duration of HTTP requests",
    labelNames: ["http_request_method", "http_route", "http_response_status_code"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });

  app.addHook("onResponse", (request, reply, done) => {
    const { method, id: requestId, errorCode: code, identity, trace } = request;
    const { statusCode: status } = reply;
    const route = request.is404 ? "" : (request.routeOptions.url ?? "");
    const ms = performance.now() - request.startedAt;
    duration.observe({ http_request_method: method, http_route: route, http_response_status_code: status }, ms / 1000);
    const { workspaceId } = identity?.caller ?? {};
    write({ method, route, status, code, ms, workspaceId, requestId, traceparent: trace?.traceparent });
    done();
  });
}
