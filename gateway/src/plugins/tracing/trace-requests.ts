import { startTrace } from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";

/** Traces every request. Spans are named by method and route template, since paths contain ids, codes and tokens. */
export function traceRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { method, headers, routeOptions, is404 } = request;
    const { traceparent } = headers;
    const name = is404 ? method : `${method} ${routeOptions.url}`;
    request.trace = startTrace(typeof traceparent === "string" ? traceparent : undefined, name) ?? null;
    done();
  });
  app.addHook("onResponse", (request, { statusCode }, done) => {
    const span = request.trace?.span;
    if (span) {
      span.set("http.request.method", request.method);
      if (!request.is404) span.set("http.route", request.routeOptions.url ?? "");
      span.set("http.response.status_code", statusCode);
      span.set("canvass.request.id", request.id);
      span.end(statusCode < 500 ? undefined : (request.errorCode ?? String(statusCode)));
    }
    done();
  });
}
