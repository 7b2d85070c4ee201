import { mostBatchItems } from "@canvass/inputs";
import type { DistributionContext } from "../context.ts";
import type { StoredLink } from "../storage/issued-links.ts";

/** Returns the times of use in the order of `links`; empty if unused. */
export async function findUses(
  { responses }: Pick<DistributionContext, "responses">,
  workspaceId: string,
  links: readonly StoredLink[],
): Promise<string[]> {
  const linkIds = links.map(({ linkId }) => linkId);
  const used: string[] = [];
  while (used.length < linkIds.length) {
    const chunk = linkIds.slice(used.length, used.length + mostBatchItems);
    const { uses } = await responses.batchGetLinkUses({ workspaceId, linkIds: chunk });
    used.push(...chunk.map((_, index) => uses[index]?.usedAt ?? ""));
  }
  return used;
}
