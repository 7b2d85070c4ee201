import { anyCharacter } from "@canvass/testing/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { boundData, mostCharacters } from "./bound-data.ts";

const entry = fc.record({
  id: fc.nat(),
  text: fc.string({ unit: anyCharacter, maxLength: 20 }),
  times: fc.integer({ min: 0, max: 1_500 }),
});
const entries = fc
  .array(entry, { maxLength: 60 })
  .map((all) => all.map(({ id, text, times }) => ({ id, text: text.repeat(times) })));

test("the parts of a list are within the size, and together all entries", () => {
  fc.assert(
    fc.property(entries, fc.boolean(), (all, isInside) => {
      const seen: number[] = [];
      let skip = 0;
      do {
        const data = isInside ? { name: "Lunch", list: all } : all;
        const { data: part, shown } = boundData(data, isInside ? "list" : undefined, skip)!;
        expect(JSON.stringify(part).length).toBeLessThanOrEqual(mostCharacters);
        const list = (isInside ? (part as { list: { id: number }[] }).list : part) as { id: number }[];
        seen.push(...list.map(({ id }) => id));
        expect(shown).toEqual({ from: skip, to: skip + list.length, of: all.length });
        skip += list.length;
      } while (skip < all.length);
      expect(seen).toEqual(all.map(({ id }) => id));
    }),
    { numRuns: 50 },
  );
});

test("an entry that does not fit is cut, and says so", () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => "x".repeat(1_000) + String(index));
  const { data, isCut, shown } = boundData([{ id: 1, rows }], undefined, 0)!;
  expect(isCut).toBe(true);
  expect(shown).toEqual({ from: 0, to: 1, of: 1 });
  const [{ rows: kept = [] } = {}] = data as { rows?: string[] }[];
  expect(kept).toHaveLength(50);
  expect(kept[0]).toBe(`${"x".repeat(200)}… (cut, 1001 characters)`);
});

test("a text is not cut inside a character", () => {
  const { data } = boundData({ text: "😀".repeat(2_000) + "x😀".repeat(2_000) }, undefined, 0)!;
  expect((data as { text: string }).text.isWellFormed()).toBe(true);
});

test("values that do not fit even when shortened have no result", () => {
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, "value"]));
  expect(boundData(wide, undefined, 0)).toBeUndefined();
  expect(boundData([wide], undefined, 0)).toBeUndefined();
  expect(boundData({ ...wide, list: [1] }, "list", 0)).toBeUndefined();
  expect(boundData([1, wide], undefined, 0)!.data).toEqual([1]);
});

test("data without a list is not cut, and a part behind the end is empty", () => {
  expect(boundData({ a: null, list: 1 }, "list", 3)).toEqual({ data: { a: null, list: 1 }, isCut: false });
  expect(boundData([1, 2], undefined, 5)).toEqual({ data: [], isCut: false, shown: { from: 5, to: 5, of: 2 } });
});
