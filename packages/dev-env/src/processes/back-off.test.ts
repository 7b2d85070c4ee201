import { describe, expect, test } from "vitest";

import { backOffMs, deathsInARow } from "./back-off.ts";

const backOff = { firstMs: 200, longestMs: 10_000, stableMs: 5_000 };

describe("back-off", () => {
  test("doubles up to its bound", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 60, 2000].map((deaths) => backOffMs(deaths, backOff));
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000, 10_000]);
  });

  test("counts deaths in a row and forgets them once the process was stable", () => {
    expect(deathsInARow(0, 10, backOff)).toBe(1);
    expect(deathsInARow(4, 4_999, backOff)).toBe(5);
    expect(deathsInARow(4, 5_000, backOff)).toBe(1);
  });
});
