import { connectOperator } from "@canvass/operator/connect-operator";
import type { Identity } from "@canvass/operator/local-file";
import type { OperatorAccess } from "@canvass/operator/connect-operator";

const FIRST_WORKSPACE = {
  name: "My workspace",
  plan: "enterprise",
  ownerName: "Owner",
  ownerEmail: "owner@example.org",
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
};

/** The token has every scope. */
export async function createFirstWorkspace(access: OperatorAccess): Promise<Identity> {
  await using operator = await connectOperator(access);
  const { workspaceId, personId, tokenValue } = await operator.createWorkspace(FIRST_WORKSPACE);
  return { workspaceId, personId, token: tokenValue };
}
