import type { MessageInitShape } from "@bufbuild/protobuf";
import { refuseViolations } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type { ListIssuedLinksRequest, ListIssuedLinksResponseSchema } from "@canvass/proto/distribution";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../context.ts";
import { findIssuedLinkPage } from "../storage/issued-links.ts";
import { issuedLinkMessage } from "./issued-link-message.ts";
import { findUses } from "./link-uses.ts";
import { requireDistributor } from "./require-distributor.ts";

export async function listIssuedLinks(
  context: DistributionContext,
  request: ListIssuedLinksRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof ListIssuedLinksResponseSchema>> {
  const key = { workspaceId, distributorId: request.distributorId };
  const page = openPage<[linkId: string]>(context.cursors, ["issued links", workspaceId, key.distributorId], request);
  refuseViolations(page.violations);
  const { prisma } = context.database;
  await requireDistributor(prisma, key);
  const [after] = page.after ?? [];
  const found = await findIssuedLinkPage(prisma, key, { limit: page.fetch, ...(after !== undefined && { after }) });
  const { rows, ...end } = page.cut(found, ({ linkId }) => [linkId]);
  const usedAt = await findUses(context, workspaceId, rows);
  return { ...end, links: rows.map((row, index) => issuedLinkMessage(row, usedAt[index] ?? "")) };
}
