import { scopeRefusal, type Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { FastifyRequest } from "fastify";
import type { Identity } from "../../batches/identity.ts";
import type { GatewayContext } from "../../context.ts";
import { bearerToken } from "./authentication.ts";

/** Identifies the request's person in another workspace. Throws unless token and role have the scope there, too. */
export async function identifyInWorkspace(
  { identities }: Pick<GatewayContext, "identities">,
  request: FastifyRequest,
  workspaceId: string,
  scope: Scope,
): Promise<Identity> {
  if (!isId(workspaceId)) throw new AppError("workspace_not_accessible");
  const identity = await identities.identify(bearerToken(request), workspaceId);
  const refusal = scopeRefusal(scope, identity);
  if (refusal) throw refusal;
  return identity;
}
