import type { FetchPlanChanges } from "./fetch-plan-changes.ts";
import type { Evaluated } from "./plan-changes.ts";

/**
 * Returns a result for each item, in order. Where only the plan withholds items, fetches plan changes that have not
 * arrived yet, and evaluates these items again. Their results are undefined if the fetch fails.
 */
export async function evaluateWithPlans<Item extends { workspaceId: string }, Found>(
  fetchPlanChanges: FetchPlanChanges,
  items: readonly Item[],
  evaluate: (items: readonly Item[]) => Promise<Evaluated<Found>[]>,
): Promise<(Found | undefined)[]> {
  const evaluated = await evaluate(items);
  const withheld = items.filter((_, index) => evaluated[index]!.isWithheld);
  if (withheld.length === 0) return evaluated.map(({ found }) => found);
  const areKnown = await fetchPlanChanges([...new Set(withheld.map(({ workspaceId }) => workspaceId))]);
  const again = (areKnown ? await evaluate(withheld) : []).values();
  return evaluated.map(({ found, isWithheld }) => (isWithheld ? again.next().value?.found : found));
}
