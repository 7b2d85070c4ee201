import fc from "fast-check";
import { expect, test } from "vitest";
import { createCallCounter } from "./call-counter.ts";

test("a minute starts with the first call and admits exactly the limit", () => {
  const count = createCallCounter(3);
  const statuses = [0, 10, 20, 30, 59_999, 60_000].map((now) => count("a", now));
  expect(statuses).toEqual([
    { allowed: true, remaining: 2, resetsInSeconds: 60 },
    { allowed: true, remaining: 1, resetsInSeconds: 60 },
    { allowed: true, remaining: 0, resetsInSeconds: 60 },
    { allowed: false, remaining: 0, resetsInSeconds: 60 },
    { allowed: false, remaining: 0, resetsInSeconds: 1 },
    { allowed: true, remaining: 2, resetsInSeconds: 60 },
  ]);
});

test("for any calls of any callers it counts as a plain list of calls would", () => {
  const calls = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.integer({ min: 0, max: 40_000 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(calls, fc.integer({ min: 1, max: 4 }), (steps, limit) => {
      const count = createCallCounter(limit);
      const model = new Map<string, { beganAt: number; calls: number }>();
      let now = 0;
      for (const [key, pause] of steps) {
        now += pause;
        const known = model.get(key);
        const minute = known && now < known.beganAt + 60_000 ? known : { beganAt: now, calls: 0 };
        minute.calls += 1;
        model.set(key, minute);
        expect(count(key, now)).toEqual({
          allowed: minute.calls <= limit,
          remaining: Math.max(0, limit - minute.calls),
          resetsInSeconds: Math.ceil((minute.beganAt + 60_000 - now) / 1000),
        });
      }
    }),
  );
});

test("a refund is of the minute in which the call was counted", () => {
  const count = createCallCounter(2);
  for (const now of [0, 0, 1]) count("a", now);
  count.refund("a", 1);
  count.refund("a", 0);
  expect(count("a", 2)).toMatchObject({ allowed: true, remaining: 0 });
  // Calls that were counted in the first minute and are refunded in the second.
  expect(count("a", 60_000)).toMatchObject({ remaining: 1 });
  for (let call = 0; call < 100; call += 1) count.refund("a", 59_999);
  count.refund("b", 60_000);
  expect([count("a", 60_001), count("a", 60_002)].map(({ allowed }) => allowed)).toEqual([true, false]);
  expect(count("b", 60_000)).toMatchObject({ remaining: 1 });
});

test("however calls and refunds follow each other, no more than the limit stand in a minute", () => {
  const steps = fc.array(fc.record({ pause: fc.integer({ min: 0, max: 30_000 }), isRefund: fc.boolean() }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 4 }), (all, limit) => {
      const count = createCallCounter(limit);
      const open: number[] = [];
      let now = 0;
      let minute = { beganAt: Number.NEGATIVE_INFINITY, calls: 0 };
      for (const { pause, isRefund } of all) {
        now += pause;
        if (isRefund) {
          const countedAt = open.shift();
          if (countedAt === undefined) continue;
          count.refund("a", countedAt);
          if (countedAt >= minute.beganAt) minute.calls -= 1;
          continue;
        }
        if (now >= minute.beganAt + 60_000) minute = { beganAt: now, calls: 0 };
        minute.calls += 1;
        open.push(now);
        expect(count("a", now).allowed).toBe(minute.calls <= limit);
      }
    }),
  );
});

test("a clock that is set back ends the minute, however far, and small corrections do not", () => {
  for (const back of [2_000, 61_000, 3_600_000]) {
    const count = createCallCounter(2);
    const start = 10_000_000;
    for (const now of [start, start, start - 500]) count("a", now);
    expect(count("a", start - 500)).toMatchObject({ allowed: false });
    expect(count("a", start - back)).toEqual({ allowed: true, remaining: 1, resetsInSeconds: 60 });
    expect([count("a", start - back), count("a", start - back)].map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(count("a", start - back + 60_000)).toMatchObject({ allowed: true, remaining: 1 });
  }
});

test("memory is bounded: beyond the largest number of keys the oldest minutes go first", () => {
  const count = createCallCounter(1, 10);
  for (let key = 0; key < 1_000; key += 1) count(`k${key}`, 0);
  expect(count("k999", 1).allowed).toBe(false);
  expect(count("k0", 1).allowed).toBe(true);
});
