import type { FastifyInstance } from "fastify";
import { isPath, type Addresses } from "./addresses.ts";

/** Refuses requests without a route before all other checks: 404, or 405 with `Allow` (RFC 9110, 15.5.6). */
export function registerKnownRoutes(app: FastifyInstance, addresses: Addresses): void {
  app.addHook("onRoute", ({ url, method }) => {
    // `*` is the route of preflight requests and not a path.
    if (url !== "*") addresses.add(url, [method].flat());
  });

  app.addHook("onRequest", (request, reply, done) => {
    // Also refuses OPTIONS, which the preflight route matches: preflights get their response before this hook.
    if (!request.is404 && request.method !== "OPTIONS" && isPath(request.url)) {
      done();
      return;
    }
    const { error, allow } = addresses.refusal(request.url);
    if (allow !== undefined) reply.header("allow", allow);
    done(error);
  });
}
