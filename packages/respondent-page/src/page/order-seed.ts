import type { DeviceStore } from "../saving/device-store.ts";

/**
 * The seed of shuffled orders. It comes from the respondent where one has begun, so that all its devices show one order,
 * else from the device; what was shown first stays.
 */
export function orderSeed(store: DeviceStore): number {
  const { order, session, startKey } = store.read();
  const source = order ?? session?.respondentId ?? startKey;
  if (order === undefined) store.change({ order: source });
  return hash(source);
}

/** FNV-1a, 32 bits; never 0, which SurveyJS takes for no seed. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return sum >>> 0 || 1;
}
