import { verifyPassword } from "@canvass/access";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CheckLinkPasswordRequest, CheckLinkPasswordResponseSchema } from "@canvass/proto/distribution-links";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../context.ts";
import { findDistributor } from "../storage/distributors.ts";

/** Throws `service_unavailable` if too many checks of the workspace are waiting. */
export async function checkLinkPassword(
  { database: { prisma }, passwordChecks }: DistributionContext,
  { password, ...key }: CheckLinkPasswordRequest,
  { signal }: Call,
): Promise<MessageInitShape<typeof CheckLinkPasswordResponseSchema>> {
  const distributor = await findDistributor(prisma, key);
  if (!distributor) return { matches: false };
  const { passwordHash } = distributor.settings;
  if (passwordHash === undefined) return { matches: true };
  return { matches: await passwordChecks.run(key.workspaceId, signal, () => verifyPassword(password, passwordHash)) };
}
