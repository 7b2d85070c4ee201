import type { Scope } from "@canvass/access";
import type { FastifyContextConfig, FastifyInstance, RouteOptions } from "fastify";
import type { Guard } from "./guard.ts";
import type { GatewayContext } from "../../context.ts";
import { authenticationGuard } from "../authentication/authentication.ts";
import { respondentTokenGuard } from "../authentication/respondent-token.ts";
import { scopeGuard } from "../authentication/scope-guard.ts";
import { edgeChecks } from "../edge-checks/edge-checks.ts";
import type { LimitName } from "../rate-limits/limits.ts";
import type { GetLimitGuard } from "../rate-limits/rate-limit-guard.ts";

/** Adds the guards of each route in the order of contract 1.7. Throws at start for a route without a scope. */
export function registerRouteGuards(
  api: Pick<FastifyInstance, "addHook">,
  context: GatewayContext,
  limitGuard: GetLimitGuard,
): void {
  const authenticate = authenticationGuard(context);

  function beforeBody(config: FastifyContextConfig, method: RouteOptions["method"]): Guard[] {
    // Public calls count only where the route names a limit.
    if (config.scope === "public") {
      const counted = config.limit ? limitGuard(config.limit, false) : undefined;
      return [counted, config.respondentToken && respondentTokenGuard].filter((guard) => guard !== undefined);
    }
    const limit = config.limit === false ? undefined : limitGuard(config.limit ?? defaultLimit(method), true);
    const scope = config.scope === "any_token" ? undefined : scopeGuard(config.scope as Scope);
    return [authenticate, limit, scope].filter((guard) => guard !== undefined);
  }

  api.addHook("onRoute", (route) => {
    const { config = {}, schema = {}, method, url } = route;
    if (config.scope === undefined) throw new Error(`${String(method)} ${url} does not declare its scope`);
    route.onRequest = beforeBody(config, method);
    route.preValidation = edgeChecks(context, { schema, config });
    // The edge checks report violations of all parts together; Fastify's validation would not.
    route.validatorCompiler = () => () => true;
  });
}

function defaultLimit(method: RouteOptions["method"]): LimitName {
  return method === "GET" || method === "HEAD" ? "reads" : "writes";
}
