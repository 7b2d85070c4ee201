import type { Identity } from "@canvass/operator";
import { connectOperator } from "@canvass/operator";
import type { OperatorAccess } from "@canvass/operator";

/** What the first start of a data directory creates. */
const FIRST_WORKSPACE = {
  name: "My workspace",
  plan: "enterprise",
  ownerName: "Owner",
  ownerEmail: "owner@example.org",
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
};

/** Creates the workspace of a first start, its owner and a token that holds every scope. */
export async function createFirstWorkspace(access: OperatorAccess): Promise<Identity> {
  await using operator = await connectOperator(access);
  const { workspaceId, personId, tokenValue } = await operator.createWorkspace(FIRST_WORKSPACE);
  return { workspaceId, personId, token: tokenValue };
}
