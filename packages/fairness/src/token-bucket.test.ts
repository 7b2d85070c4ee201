import fc from "fast-check";
import { expect, test } from "vitest";
import { createTokenBucket } from "./token-bucket.ts";

function scene({ capacity = 4, count = 2, ms = 100 } = {}) {
  const time = { now: 0 };
  const bucket = createTokenBucket({ capacity, refill: { count, ms }, now: () => time.now });
  return {
    bucket,
    pass: (elapsed: number) => void (time.now += elapsed),
    /** Takes all tokens, and returns their number. */
    empty: (): number => {
      let taken = 0;
      for (; !bucket.isEmpty; taken += 1) bucket.take();
      return taken;
    },
  };
}

test("a burst takes all tokens, which return together", () => {
  const { empty, pass } = scene();
  expect(empty()).toBe(4);
  pass(99);
  expect(empty()).toBe(0);
  pass(1);
  expect(empty()).toBe(2);
  pass(10_000);
  expect(empty()).toBe(4);
});

test("a token that is given back is there at once, but never more than the capacity", () => {
  const { bucket, empty } = scene();
  bucket.giveBack();
  expect(empty()).toBe(4);
  bucket.giveBack();
  expect(empty()).toBe(1);
});

test("credit is paid back first, and is no more than the capacity", () => {
  const { bucket, empty, pass } = scene();
  empty();
  for (let taken = 0; taken < 100; taken += 1) bucket.take();
  expect(bucket.waitMs).toBe(300);
  pass(300);
  expect(empty()).toBe(2);
});

const options = fc.record({
  capacity: fc.integer({ min: 1, max: 10 }),
  count: fc.integer({ min: 1, max: 10 }),
  ms: fc.integer({ min: 1, max: 50 }),
});

test("in any period, at most the capacity plus the refill is taken", () => {
  fc.assert(
    fc.property(options, fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 30 }), (limits, pauses) => {
      const { empty, pass } = scene(limits);
      const taken: { at: number; count: number }[] = [];
      let at = 0;
      for (const pause of pauses) {
        pass(pause);
        at += pause;
        taken.push({ at, count: empty() });
      }
      for (const [first, { at: from }] of taken.entries()) {
        let sum = 0;
        for (const each of taken.slice(first)) {
          sum += each.count;
          const returned = (Math.floor((each.at - from) / limits.ms) + 1) * limits.count;
          expect(sum).toBeLessThanOrEqual(limits.capacity + returned);
        }
      }
    }),
  );
});

test("after the wait the bucket has a token, and not a millisecond before", () => {
  const step = fc.record({ pause: fc.integer({ min: 0, max: 120 }), takes: fc.integer({ min: 0, max: 30 }) });
  fc.assert(
    fc.property(options, fc.array(step, { maxLength: 30 }), (limits, steps) => {
      const { bucket, pass } = scene(limits);
      for (const { pause, takes } of steps) {
        pass(pause);
        for (let taken = 0; taken < takes; taken += 1) bucket.take();
        const { waitMs } = bucket;
        expect(bucket.isEmpty).toBe(waitMs > 0);
        if (waitMs === 0) continue;
        pass(waitMs - 1);
        expect(bucket.isEmpty).toBe(true);
        pass(1);
        expect(bucket.isEmpty).toBe(false);
      }
    }),
  );
});
