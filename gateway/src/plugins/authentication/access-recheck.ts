import { scopeRefusal } from "@canvass/access";
import type { AppError } from "@canvass/errors";
import type { FastifyRequest } from "fastify";
import type { Identity } from "../../batches/identity.ts";
import type { GatewayContext } from "../../context.ts";
import { bearerToken } from "./authentication.ts";
import { isRefusal } from "./identity-cache.ts";

/** Returns a check for long responses. It throws AppError once access is lost (contract 4.6), and never waits. */
export function createAccessRecheck(
  { identities }: Pick<GatewayContext, "identities">,
  request: FastifyRequest,
): () => void {
  if (!request.identity) return () => {};
  const scope = request.routeOptions.config.scope ?? "public";
  const token = bearerToken(request);
  const workspaceId = String(request.headers["x-workspace-id"] ?? "");
  let refusal: AppError | undefined;
  let isAsking = false;

  const evaluate = (identity: Identity): void => {
    if (scope !== "any_token" && scope !== "public") refusal = scopeRefusal(scope, identity);
  };
  const fail = (error: unknown): void => {
    if (isRefusal(error)) refusal = error;
  };

  return () => {
    if (!refusal && !isAsking) {
      try {
        const identity = identities.identify(token, workspaceId);
        if (identity instanceof Promise) {
          // The result applies from a later call. An outage of the token service changes nothing.
          isAsking = true;
          void identity.then(evaluate, fail).finally(() => (isAsking = false));
        } else evaluate(identity);
      } catch (error) {
        fail(error);
      }
    }
    if (refusal) throw refusal;
  };
}
