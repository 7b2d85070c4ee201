import { longestCursor } from "@canvass/inputs";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openPage } from "./cursor-page.ts";
import { createCursorCodec } from "./cursor.ts";

const cursors = createCursorCodec(randomBytes(32).toString("base64"));

/** Reads a list of numbers page by page, as a handler does. */
function walk(list: readonly number[], limit: number, most?: number): number[][] {
  const pages: number[][] = [];
  for (let cursor = ""; ;) {
    const page = openPage<[number]>(cursors, ["numbers"], { limit, cursor });
    expect(page.violations).toEqual([]);
    const from = page.after === undefined ? 0 : list.indexOf(page.after[0]) + 1;
    const { rows, hasMore, nextCursor } = page.cut(list.slice(from, from + page.fetch), (row) => [row], most);
    pages.push(rows);
    expect(hasMore).toBe(nextCursor !== "");
    if (!hasMore) return pages;
    cursor = nextCursor;
  }
}

test("pages of any size return any list once, in order, and no page is empty unless the list is", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { maxLength: 30 }), fc.integer({ min: 1, max: 100 }), (list, limit) => {
      const pages = walk(list, limit);
      expect(pages.flat()).toEqual(list);
      expect(pages).toHaveLength(Math.max(1, Math.ceil(list.length / limit)));
    }),
  );
});

test("pages with fewer rows than requested continue where they were cut", () => {
  expect(walk([1, 2, 3, 4, 5], 3, 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(walk([1, 2, 3], 2, 5)).toEqual([[1, 2], [3]]);
  expect(walk([1, 2], 2, 1)).toEqual([[1], [2]]);
});

test("size and cursor are validated together", () => {
  const { nextCursor } = openPage<[number]>(cursors, ["a"], { limit: 1, cursor: "" }).cut([1, 2], (row) => [row]);
  expect(openPage(cursors, ["a"], { limit: 100, cursor: nextCursor }).violations).toEqual([]);
  for (const [binding, limit, cursor, paths] of [
    ["a", 0, nextCursor, ["limit"]],
    ["b", 101, nextCursor, ["limit", "cursor"]],
    ["a", 50, `${nextCursor}A`, ["cursor"]],
  ] as const) {
    const { violations, after } = openPage(cursors, [binding], { limit, cursor });
    expect(violations.map(({ path }) => path)).toEqual(paths);
    expect(after === undefined).toBe(paths.includes("cursor" as never));
  }
});

test("a cursor longer than callers may send is no cursor, and the longest name of a survey makes a shorter one", () => {
  const { cursorAt } = openPage<[string, string]>(cursors, ["a"], { limit: 1, cursor: "" });
  for (const character of ["\u{1F642}", "\u0001", '"']) {
    expect(cursorAt([character.repeat(300), "a".repeat(16)]).length).toBeLessThanOrEqual(longestCursor);
  }
  const tooLong = cursorAt(["a".repeat(longestCursor), ""]);
  expect(openPage(cursors, ["a"], { limit: 1, cursor: tooLong }).violations).toHaveLength(1);
});
