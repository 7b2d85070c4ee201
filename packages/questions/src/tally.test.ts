import { expect, test } from "vitest";
import { tallyChange } from "./tally.ts";

test("a change names only what differs", () => {
  const before = { buckets: { a: 1, b: 2 }, sum: 5n };
  const after = { buckets: { b: 2, c: 1 }, sum: 7n };
  expect(tallyChange(before, after)).toEqual({ buckets: { a: -1, c: 1 }, sum: 2n });
  expect(tallyChange(null, after)).toEqual(after);
  expect(tallyChange(before, null)).toEqual({ buckets: { a: -1, b: -2 }, sum: -5n });
  expect(tallyChange(before, before)).toEqual({ buckets: {}, sum: 0n });
  expect(tallyChange(null, null)).toEqual({ buckets: {}, sum: 0n });
  expect(before).toEqual({ buckets: { a: 1, b: 2 }, sum: 5n });
});
