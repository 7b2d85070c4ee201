import type { FastifyInstance } from "fastify";
import { isPath, type KnownPaths } from "./known-paths.ts";

/** Refuses requests without a route before all other checks: 404, or 405 with `Allow` (RFC 9110, 15.5.6). */
export function refuseUnknownRoutes(app: FastifyInstance, knownPaths: KnownPaths): void {
  app.addHook("onRoute", ({ url, method }) => {
    // `*` is the route of preflight requests and not a path.
    if (url !== "*") knownPaths.add(url, [method].flat());
  });

  app.addHook("onRequest", (request, reply, done) => {
    // Also refuses OPTIONS, which the preflight route matches: preflights get their response before this hook.
    if (!request.is404 && request.method !== "OPTIONS" && isPath(request.url)) {
      done();
      return;
    }
    const { error, allow } = knownPaths.refusal(request.url);
    if (allow !== undefined) reply.header("allow", allow);
    done(error);
  });
}
