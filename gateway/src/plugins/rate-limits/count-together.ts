import type { CountStore } from "./count-store.ts";

/** Counts calls in one statement. Returns the number of each call within its minute, in the order given. */
export async function countTogether(
  store: Pick<CountStore, "add">,
  keys: readonly string[],
): Promise<{ calls: number; leftMs: number }[]> {
  const counts = new Map<string, number>();
  const rankOf = keys.map((key) => {
    const rank = (counts.get(key) ?? 0) + 1;
    counts.set(key, rank);
    return rank;
  });
  const counted = await store.add([...counts.keys()], [...counts.values()]);
  const byKey = new Map(counted.map((each) => [each.key, each]));
  return keys.map((key, index) => {
    const { calls, leftMs } = byKey.get(key)!;
    return { calls: calls - counts.get(key)! + rankOf[index]!, leftMs };
  });
}
