import type { FastifyInstance, FastifyRequest } from "fastify";
import { lruOptions } from "@canvass/fairness";
import type { Link } from "@canvass/proto/distribution-links";
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

export interface GuessLimit {
  /** Adds the hooks that refuse and count guesses. */
  addHooks: (app: FastifyInstance) => void;
  /** Looks up a link before the hooks, as for a preflight. Counts an unknown code. Undefined beyond the limit, too. */
  findLink: (request: FastifyRequest, code: string) => Promise<Link | undefined>;
}

/** Limits guesses of link codes and session tokens by client address. Beyond the limit, only known secrets pass. */
export function guessLimit({
  config,
  now,
  metrics,
  findLink,
}: Pick<GatewayContext, "config" | "now" | "metrics" | "findLink">): GuessLimit {
  if (config.CANVASS_RATE_LIMITS === "off") {
    return { addHooks: () => undefined, findLink: (_request, code) => findLink(code) };
  }
  const limit = config.CANVASS_RATE_LIMIT_UNAUTHENTICATED;
  const count = createCallCounter(limit);
  const report = createRateLimitReporter("guesses", limit, metrics);
  const known = new LRUCache<string, true>(lruOptions(mostKnown));
  const missed = new LRUCache<string, true>(lruOptions(mostMissed));
  const statusOf = (request: FastifyRequest) => count(clientNetwork(request), now().getTime(), 0);
  return {
    addHooks(app) {
      app.addHook("onRequest", (request, reply, done) => {
        const secret = checkedSecret(request);
        if (secret === "" || known.has(secret)) return done();
        const status = statusOf(request);
        if (status.remaining > 0) return done();
        report({ ...status, allowed: false }, reply);
        return done(tooMany(limit));
      });
      app.addHook("onSend", (request, reply, _payload, done) => {
        const secret = checkedSecret(request);
        if (secret === "") return done();
        if (reply.statusCode < 300) learn(request, secret);
        else if (isWrong(request, reply.statusCode)) miss(request, secret);
        return done();
      });
    },
    async findLink(request, code) {
      const [codeAlone, secret] = [secretOf(code, ""), secretOf(code, checkedToken(request))];
      if (!known.has(codeAlone) && !known.has(secret) && statusOf(request).remaining === 0) return undefined;
      const link = await findLink(code);
      // The token is not checked yet.
      if (link) known.set(codeAlone, true);
      else miss(request, secret);
      return link;
    },
  };

  function learn(request: FastifyRequest, secret: string): void {
    const code = codeOf(request);
    known.set(secret, true);
    known.set(secretOf(code, ""), true);
    if (request.begunSession !== "") known.set(secretOf(code, request.begunSession), true);
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

const codeOf = ({ params }: FastifyRequest): string => (params as { code?: string }).code ?? "";

/** The session token, if the route checks it: opening a link looks up its code alone. */
const checkedToken = (request: FastifyRequest): string =>
  request.routeOptions.config.respondentToken ? respondentTokenOf(request) : "";

/** Returns "" without a code. */
const secretOf = (code: string, token: string): string => code && hash("sha256", `${code} ${token}`, "base64url");

const checkedSecret = (request: FastifyRequest): string => secretOf(codeOf(request), checkedToken(request));

/** The link page responds 404 to an unknown code without an error code. */
function isWrong({ errorCode }: FastifyRequest, status: number): boolean {
  return errorCode === null ? status === 404 : wrong.has(errorCode);
}
