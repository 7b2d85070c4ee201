import type { System } from "@canvass/dev-env";
import { randomUUID } from "node:crypto";
import { createApiClient, type ApiClient, type ApiClientOptions } from "./api-client.ts";
import { connectWithoutRetries, untilAnswered } from "./connect-operator.ts";

export interface OtherWorkspace extends AsyncDisposable {
  workspaceId: string;
  personId: string;
  tokenId: string;
  token: string;
  api: ApiClient;
}

/** Creates another workspace in a running system through the operator's RPCs. */
export async function createWorkspace(
  system: System,
  plan = "enterprise",
  options?: ApiClientOptions,
): Promise<OtherWorkspace> {
  await using operator = connectWithoutRetries(system);
  const create = () =>
    operator.createWorkspace({
      name: `Workspace on ${plan}`,
      plan,
      ownerName: "Grace",
      // A new person each time: the owner of two workspaces can reach both with each token.
      ownerEmail: `grace-${randomUUID()}@example.org`,
      timeZone: "Europe/Berlin",
    });
  const { workspaceId, personId, tokenId, tokenValue } = await untilAnswered(create);
  const api = createApiClient(system.local.baseUrl, tokenValue, options);
  return { workspaceId, personId, tokenId, token: tokenValue, api, [Symbol.asyncDispose]: api[Symbol.asyncDispose] };
}
