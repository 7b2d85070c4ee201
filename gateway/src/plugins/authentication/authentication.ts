import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import type { Guard } from "../guards/guard.ts";
import { unauthenticatedLimit } from "../rate-limits/unauthenticated-limit.ts";
import type { Identity } from "../../batches/identity.ts";

/** Identifies the caller by token and, for another workspace than the token's own, `X-Workspace-ID` (contract 4.1). */
export function authenticationGuard(
  context: Pick<GatewayContext, "identities" | "tokenUses" | "config" | "now" | "metrics">,
): Guard {
  const { identities, tokenUses } = context;
  const unauthenticated = unauthenticatedLimit(context);

  function identify(request: FastifyRequest, mayAsk: () => boolean): Identity | Promise<Identity> {
    const token = bearerToken(request);
    const workspaceId = workspaceAskedFor(request);
    if (workspaceId !== undefined) return identities.identify(token, workspaceId, mayAsk);
    // A missing token takes precedence over a malformed workspace id.
    const known = identities.identify(token, "", mayAsk);
    return known instanceof Promise ? known.then(refuseWorkspace) : refuseWorkspace();
  }

  function accept(request: FastifyRequest, identity: Identity): void {
    request.identity = identity;
    tokenUses.record(identity.caller.tokenId, request);
  }

  return (request, reply, done) => {
    let asked = false;
    const mayAsk = () => (asked = unauthenticated.mayAsk(request));
    const refuse = (error: unknown): never => {
      throw unauthenticated.refuse(request, reply, error, asked);
    };
    let identity: Identity | Promise<Identity>;
    try {
      identity = identify(request, mayAsk);
    } catch (error) {
      return refuse(error);
    }
    // Fastify continues when a hook's promise resolves, or immediately when the hook calls `done`.
    if (identity instanceof Promise) return identity.then((found) => accept(request, found), refuse);
    accept(request, identity);
    return done();
  };
}

export function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (!header) throw new AppError("unauthorized");
  // The scheme is case-insensitive (RFC 9110, 11.1).
  if (!header.startsWith("Bearer ") && !/^bearer +/i.test(header)) throw new AppError("unauthorized");
  return header.slice(7).trim();
}

/** Returns "" for the token's own workspace, and undefined for an id that cannot exist. */
function workspaceAskedFor(request: FastifyRequest): string | undefined {
  const header = request.headers["x-workspace-id"];
  if (header === undefined) return "";
  return typeof header === "string" && isId(header) ? header : undefined;
}

function refuseWorkspace(): never {
  throw new AppError("workspace_not_accessible");
}
