import type { Judged } from "../../storage/plan-changes.ts";
import type { LearnPlans } from "./pending-plans.ts";

/**
 * What `judge` finds for each item. What the plan withholds is judged again with the changes that are still on their way
 * here; undefined: they cannot be asked for now, so it is undecided.
 */
export async function judgeByPlan<Item extends { workspaceId: string }, Found>(
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
