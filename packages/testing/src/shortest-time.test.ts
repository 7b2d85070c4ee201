import { expect, test } from "vitest";
import { shortestTime } from "./shortest-time.ts";

const measuring = (times: number[]) => async () => times.shift()!;

test("the first time within the limit ends the measuring", async () => {
  const times = [80, 30, 10];
  expect(await shortestTime(measuring(times), { withinMs: 50 })).toBe(30);
  expect(times).toEqual([10]);
});

test("a call that is always slow stays slow", async () => {
  expect(await shortestTime(measuring([80, 70, 90, 75, 71, 1]), { withinMs: 50 })).toBe(70);
});
