import { AppError } from "@canvass/errors";
import type { FastifyInstance } from "fastify";
import createRouter from "find-my-way";

/**
 * Answers requests for what there is not, before anything else is looked at: 404 `route_not_found`, or at a known
 * address 405 `method_not_allowed` with the methods it takes in `Allow` (RFC 9110, 15.5.6).
 */
export function knownRoutes(app: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  const addresses = createRouter({ maxParamLength: Number.MAX_SAFE_INTEGER });

  app.addHook("onRoute", ({ url, method }) => {
    // The route on which preflight requests are answered is no address.
    if (url === "*") return;
    const known = methods.get(url);
    if (known) {
      for (const each of [method].flat()) known.add(each);
    } else {
      methods.set(url, new Set([method].flat()));
      // The second router knows addresses only; the method it is asked with means nothing.
      addresses.on("GET", url, () => undefined, url);
    }
  });

  app.addHook("onRequest", (request, reply, done) => {
    // No address takes OPTIONS, whatever has a route for it; a preflight request was answered before this.
    if (!request.is404 && request.method !== "OPTIONS") {
      done();
      return;
    }
    const [path = ""] = request.url.split("?");
    const url = addresses.find("GET", path)?.store as string | undefined;
    if (url === undefined) {
      done(new AppError("route_not_found"));
      return;
    }
    reply.header("allow", [...methods.get(url)!].join(", "));
    done(new AppError("method_not_allowed"));
  });
}
