import type { Scope } from "@canvass/access";
import type { FastifyContextConfig, RouteOptions } from "fastify";
import type { Guard } from "./guard.ts";

import type { GatewayContext } from "../../context.ts";
import type { Api } from "../../routes/api.ts";
import { authenticationGuard } from "../authentication/authentication.ts";
import { scopeGuard } from "../authentication/scope-guard.ts";
import { edgeChecks } from "../edge-checks/edge-checks.ts";
import type { LimitName } from "../rate-limits/limits.ts";
import type { LimitGuards } from "../rate-limits/rate-limit-guard.ts";

/**
 * Puts before each route what its `config` and `schema` ask for, in the order of contract 1.7: authenticate, count,
 * scope, and once the body is there the edge checks. A route that says nothing about its scope stops the start.
 */
export function routeGuards(api: Api, context: GatewayContext, limitGuard: LimitGuards): void {
  const authenticate = authenticationGuard(context);

  function beforeBody(config: FastifyContextConfig, method: RouteOptions["method"]): Guard[] {
    // Calls without a token are counted only where the route says by what.
    if (config.scope === "public") return config.limit ? [limitGuard(config.limit, false)].filter(isGuard) : [];
    const limit = config.limit === false ? undefined : limitGuard(config.limit ?? defaultLimit(method), true);
    const scope = config.scope === "any_token" ? undefined : scopeGuard(config.scope as Scope);
    return [authenticate, limit, scope].filter(isGuard);
  }

  api.addHook("onRoute", (route) => {
    const { config = {}, schema = {}, method, url } = route;
    if (config.scope === undefined) throw new Error(`${String(method)} ${url} does not declare its scope`);
    route.onRequest = beforeBody(config, method);
    route.preValidation = edgeChecks(context, { schema, config });
    // The edge checks see all parts of a request at once, which Fastify's own validation does not.
    route.validatorCompiler = () => () => true;
  });
}

const isGuard = (guard: Guard | undefined): guard is Guard => guard !== undefined;

function defaultLimit(method: RouteOptions["method"]): LimitName {
  return method === "GET" || method === "HEAD" ? "reads" : "writes";
}
