import { fixedClock } from "@canvass/testing";
import { expect, test } from "vitest";
import { watchClock } from "./watch-clock.ts";

const HOUR = 3_600_000;

function watched() {
  const clock = fixedClock("2026-03-01T12:00:00Z");
  const { now, whenSetBack } = watchClock(clock.now);
  const repaired: Date[] = [];
  const look = () => whenSetBack(async (at) => void repaired.push(at));
  return { clock, now, whenSetBack, look, repaired };
}

test("times that were returned while the clock was ahead are repaired, however soon it was set back", async () => {
  const { clock, now, look, repaired } = watched();
  const begun = now();
  await look();
  await look();
  expect(repaired).toEqual([begun]);
  clock.advance(HOUR);
  now();
  clock.set(begun);
  await look();
  await look();
  expect(repaired).toEqual([begun, begun]);
});

test("a step that nobody saw, or one of at most a second, needs no repair", async () => {
  const { clock, now, look, repaired } = watched();
  const begun = now();
  await look();
  clock.advance(HOUR);
  clock.set(begun);
  await look();
  clock.advance(1000);
  now();
  clock.set(begun);
  await look();
  expect(repaired).toEqual([begun]);
});

test("a repair that failed is due again, and a step during a repair is kept", async () => {
  const { clock, now, whenSetBack, look, repaired } = watched();
  const begun = now();
  await expect(whenSetBack(() => Promise.reject(new Error("the database is away")))).rejects.toThrow("away");
  await whenSetBack(async () => {
    clock.advance(HOUR);
    now();
    clock.set(begun);
  });
  await look();
  await look();
  expect(repaired).toEqual([begun]);
});
