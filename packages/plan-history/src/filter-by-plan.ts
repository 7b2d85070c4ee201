import type { LearnPlans } from "./learn-plans.ts";
import type { Judged } from "./plan-changes.ts";

/** Evaluates withheld items again with plan changes that have not arrived yet. Undefined if these are unavailable. */
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
