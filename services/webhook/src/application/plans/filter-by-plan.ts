import type { Judged } from "../../storage/plan-changes.ts";
import type { LearnPlans } from "./pending-plans.ts";

/**
 * Returns what `judge` finds for each item. Items that the plan withholds are judged again after fetching plan changes
 * that have not arrived yet. Undefined means undecided: the fetch failed.
 */
export async function filterByPlan<Item extends { workspaceId: string }, Found>(
  learnPlans: LearnPlans,
  items: readonly Item[],
  judge: (items: readonly Item[]) => Promise<Judged<Found>[]>,
): Promise<(Found | undefined)[]> {
  const judged = await judge(items);
  const withheld = items.filter((_, index) => judged[index]!.isWithheld);
  if (withheld.length === 0) return judged.map(({ found }) => found);
  const areKnown = await learnPlans([...new Set(withheld.map(({ workspaceId }) => workspaceId))]);
  const again = (areKnown ? await judge(withheld) : []).values();
  return judged.map(({ found, isWithheld }) => (isWithheld ? again.next().value?.found : found));
}
