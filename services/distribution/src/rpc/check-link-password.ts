import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CheckLinkPasswordRequest, CheckLinkPasswordResponseSchema } from "@canvass/proto/distribution-links";
import type { DistributionContext } from "../context.ts";
import { findDistributor } from "../storage/distributors.ts";

/** Whether it is the distributor's password; without one any is, and of no distributor none. */
export async function checkLinkPassword(
  { database: { prisma }, checkPassword }: DistributionContext,
  { password, ...key }: CheckLinkPasswordRequest,
): Promise<MessageInitShape<typeof CheckLinkPasswordResponseSchema>> {
  const distributor = await findDistributor(prisma, key);
  if (!distributor) return { matches: false };
  const { passwordHash } = distributor.settings;
  return { matches: passwordHash === undefined || (await checkPassword(password, passwordHash)) };
}
