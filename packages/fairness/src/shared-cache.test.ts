import fc from "fast-check";
import { expect, test } from "vitest";
import { createSharedCache } from "./shared-cache.ts";

type Put = readonly [owner: string, key: string, size: number];
const createCache = () => createSharedCache<{ size: number }>({ maxSize: 16, share: 4, sizeOf: ({ size }) => size });

/** Returns the entries that remain in the cache, as owner plus key. */
function kept(puts: readonly Put[]): string[] {
  const cache = createCache();
  for (const [owner, key, size] of puts) cache.set(owner, key, { size });
  return puts.filter(([owner, key]) => cache.get(owner, key)).map(([owner, key]) => owner + key);
}

test.each([
  [
    "a lone owner fills the cache beyond its share",
    Array.from({ length: 16 }, (_, n) => ["a", `${n}`, 1] as const),
    16,
  ],
  [
    "a lone owner that exceeds the cache keeps its last used entries",
    Array.from({ length: 20 }, (_, n) => ["a", `${n}`, 1] as const),
    16,
  ],
  ["a value larger than the cache is not stored", [["a", "0", 17] as const], 0],
])("%s", (_name, puts, count) => {
  const last = puts.slice(puts.length - count).map(([owner, key]) => owner + key);
  expect(kept(puts)).toEqual(count === 0 ? [] : last);
});

test("many large values of one owner evict none of owners within their share", () => {
  const many = Array.from({ length: 40 }, (_, n) => ["a", `${n}`, 4] as const);
  expect(kept([["b", "0", 2], ["c", "0", 2], ...many])).toEqual(["b0", "c0", "a37", "a38", "a39"]);
});

test("if no owner exceeds its share, the least recently used entry is evicted", () => {
  const each = ["a", "b", "c", "d", "e"].map((owner) => [owner, "0", 4] as const);
  expect(kept(each)).toEqual(["b0", "c0", "d0", "e0"]);
});

test.each<[last: string, puts: Put[]]>([
  [
    "b0",
    [
      ["b", "0", 5],
      ["c", "0", 2],
      ["c", "1", 4],
      ["a", "0", 5],
      ["b", "0", 6],
    ],
  ],
  [
    "a0",
    [
      ["b", "0", 1],
      ["b", "1", 6],
      ["c", "0", 5],
      ["a", "0", 6],
    ],
  ],
])("of owners equally far beyond their share, the one that sets a value keeps it: %s", (last, puts) => {
  expect(kept(puts)).toContain(last);
});

test("for any writes the cache is bounded, and an owner within its share loses nothing to one beyond it", () => {
  const put = fc.tuple(
    fc.constantFrom("a", "b", "c"),
    fc.constantFrom("0", "1", "2", "3"),
    fc.integer({ min: 1, max: 6 }),
  );
  fc.assert(
    fc.property(fc.array(put, { maxLength: 60 }), (puts) => {
      const cache = createCache();
      const sizes = (): Map<string, number> => {
        const ids = [...new Set(puts.map(([owner, key]) => `${owner}${key}`))];
        const found = ids.map(([owner, key]) => [owner!, cache.get(owner!, key!)?.size ?? 0] as const);
        const all = new Map<string, number>();
        for (const [owner, size] of found) all.set(owner, (all.get(owner) ?? 0) + size);
        return all;
      };
      for (const [owner, key, size] of puts) {
        const before = sizes();
        cache.set(owner, key, { size });
        expect(cache.get(owner, key)?.size).toBe(size);
        const after = sizes();
        expect([...after.values()].reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(16);
        const isBeyond = (other: string) => other !== owner && before.get(other)! > 4 && after.get(other)! > 4;
        if (![...after.keys()].some(isBeyond)) continue;
        for (const [other, was] of before) if (other !== owner && was <= 4) expect(after.get(other)).toBe(was);
      }
    }),
  );
});
