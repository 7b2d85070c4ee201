import type { CountStore } from "./count-store.ts";

/** Counts calls in one statement. Returns the number of each call within its minute, in the order given. */
export async function countTogether(
  store: Pick<CountStore, "add">,
  keys: readonly string[],
): Promise<{ calls: number; leftMs: number }[]> {
  const places = new Map<string, number>();
  const placeOf = keys.map((key) => {
    const place = (places.get(key) ?? 0) + 1;
    places.set(key, place);
    return place;
  });
  const counted = await store.add([...places.keys()], [...places.values()]);
  const byKey = new Map(counted.map((each) => [each.key, each]));
  return keys.map((key, index) => {
    const { calls, leftMs } = byKey.get(key)!;
    return { calls: calls - places.get(key)! + placeOf[index]!, leftMs };
  });
}
