import { expect, test } from "vitest";
import { createSharedCache } from "./shared-cache.ts";

/** Returns the entries that remain in the cache, as owner plus key. */
function kept(puts: readonly (readonly [owner: string, key: string, size: number])[]): string[] {
  const cache = createSharedCache<{ size: number }>({ maxSize: 16, share: 4 });
  for (const [owner, key, size] of puts) cache.set(owner, key, { size });
  return puts.filter(([owner, key]) => cache.get(owner, key)).map(([owner, key]) => owner + key);
}

test.each([
  ["one alone has all the room", Array.from({ length: 16 }, (_, n) => ["a", `${n}`, 1] as const), 16],
  ["and then keeps what it used last", Array.from({ length: 20 }, (_, n) => ["a", `${n}`, 1] as const), 16],
  ["what is larger than all the room is not kept", [["a", "0", 17] as const], 0],
])("%s", (_name, puts, count) => {
  const last = puts.slice(puts.length - count).map(([owner, key]) => owner + key);
  expect(kept(puts)).toEqual(count === 0 ? [] : last);
});

test("nobody's many large ones drive out the others' few", () => {
  const many = Array.from({ length: 40 }, (_, n) => ["a", `${n}`, 4] as const);
  expect(kept([["b", "0", 2], ["c", "0", 2], ...many])).toEqual(["b0", "c0", "a37", "a38", "a39"]);
});

test("where nobody has more than its share, who used it longest ago makes room", () => {
  const each = ["a", "b", "c", "d", "e"].map((owner) => [owner, "0", 4] as const);
  expect(kept(each)).toEqual(["b0", "c0", "d0", "e0"]);
});
