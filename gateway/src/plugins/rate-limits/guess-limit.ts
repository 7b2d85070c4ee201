import type { FastifyInstance, FastifyRequest } from "fastify";
import { lruOptions } from "@canvass/fairness";
import { LRUCache } from "lru-cache";
import { hash } from "node:crypto";
import type { GatewayContext } from "../../context.ts";
import { respondentTokenOf } from "../authentication/respondent-token.ts";
import { clientNetwork } from "../../client-address/client-network.ts";
import { createCallCounter } from "./call-counter.ts";
import { tooMany } from "./rate-limit-guard.ts";
import { createRateLimitReporter } from "./rate-limit-reporter.ts";

/** Cache sizes: recently valid secrets, and wrong ones already counted. */
const mostKnown = 50_000;
const mostMissed = 10_000;
const wrong = new Set(["distributor_not_found", "invalid_token"]);

/**
 * Returns a function that adds hooks to an app, which limit guesses of link codes and session tokens by client address.
 * Beyond the limit, only known secrets pass.
 */
export function guessLimit({
  config,
  now,
  metrics,
}: Pick<GatewayContext, "config" | "now" | "metrics">): (app: FastifyInstance) => void {
  if (config.CANVASS_RATE_LIMITS === "off") return () => undefined;
  const limit = config.CANVASS_RATE_LIMIT_UNAUTHENTICATED;
  const count = createCallCounter(limit);
  const report = createRateLimitReporter("guesses", limit, metrics);
  const known = new LRUCache<string, true>(lruOptions(mostKnown));
  const missed = new LRUCache<string, true>(lruOptions(mostMissed));
  return (app) => {
    app.addHook("onRequest", (request, reply, done) => {
      const secret = secretOf(request);
      if (secret === "" || known.has(secret)) return done();
      const status = count(clientNetwork(request), now().getTime(), 0);
      if (status.remaining > 0) return done();
      report({ ...status, allowed: false }, reply);
      return done(tooMany(limit));
    });
    app.addHook("onSend", (request, reply, _payload, done) => {
      const secret = secretOf(request);
      if (secret === "") return done();
      if (reply.statusCode < 400) learn(request, secret);
      else if (isWrong(request, reply.statusCode)) miss(request, secret);
      return done();
    });
  };

  function learn(request: FastifyRequest, secret: string): void {
    known.set(secret, true);
    if (request.begunSession !== "") known.set(secretOf(request, request.begunSession), true);
  }

  function miss(request: FastifyRequest, secret: string): void {
    known.delete(secret);
    const network = clientNetwork(request);
    const guess = `${network} ${secret}`;
    // Many people may have the same dead link, so a wrong secret counts once.
    if (missed.has(guess)) return;
    missed.set(guess, true);
    count(network, now().getTime());
  }
}

function secretOf(request: FastifyRequest, token = respondentTokenOf(request)): string {
  const { code = "" } = request.params as { code?: string };
  return code && hash("sha256", `${code} ${token}`, "base64url");
}

/** The link page responds 404 to an unknown code without an error code. */
function isWrong({ errorCode }: FastifyRequest, status: number): boolean {
  return errorCode === null ? status === 404 : wrong.has(errorCode);
}
