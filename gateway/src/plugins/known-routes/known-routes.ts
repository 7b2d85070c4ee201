import type { FastifyInstance } from "fastify";
import { isPath, type Addresses } from "./addresses.ts";

/**
 * Answers requests for what there is not, before anything else is looked at: 404 `route_not_found`, or at a known
 * address 405 `method_not_allowed` with the methods it takes in `Allow` (RFC 9110, 15.5.6).
 */
export function knownRoutes(app: FastifyInstance, addresses: Addresses): void {
  app.addHook("onRoute", ({ url, method }) => {
    // The route on which preflight requests are answered is no address.
    if (url !== "*") addresses.add(url, [method].flat());
  });

  app.addHook("onRequest", (request, reply, done) => {
    // No address takes OPTIONS, whatever has a route for it; a preflight request was answered before this.
    if (!request.is404 && request.method !== "OPTIONS" && isPath(request.url)) {
      done();
      return;
    }
    const { error, allow } = addresses.refusal(request.url);
    if (allow !== undefined) reply.header("allow", allow);
    done(error);
  });
}
