import type { System } from "@canvass/dev-env";
import { OperatorService } from "@canvass/proto/token";
import { createRpcClient } from "@canvass/rpc";
import { randomUUID } from "node:crypto";
import { createApiClient, type ApiClient } from "./api-client.ts";

export interface OtherWorkspace extends AsyncDisposable {
  workspaceId: string;
  personId: string;
  tokenId: string;
  token: string;
  api: ApiClient;
}

/** Another workspace of a running system, made by the operator's RPCs. */
export async function createWorkspace(system: System, plan = "enterprise"): Promise<OtherWorkspace> {
  const access = { url: system.rpcUrl("token"), operatorKey: system.keys.operatorKey };
  await using operator = createRpcClient(OperatorService, access);
  const { workspaceId, personId, tokenId, tokenValue } = await operator.createWorkspace({
    name: `Workspace on ${plan}`,
    plan,
    ownerName: "Grace",
    // Somebody else each time: who owns two workspaces reaches both with each token.
    ownerEmail: `grace-${randomUUID()}@example.org`,
    timeZone: "Europe/Berlin",
  });
  const api = createApiClient(system.local.baseUrl, tokenValue);
  return { workspaceId, personId, tokenId, token: tokenValue, api, [Symbol.asyncDispose]: api[Symbol.asyncDispose] };
}
