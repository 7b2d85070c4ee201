import { expect, test } from "vitest";
import { createDrainPace } from "./drain-pace.ts";

/** Each attempt keeps the process busy for `busyMs`. */
function scene(busyMs: number) {
  const time = { now: 0, busy: 0 };
  const pace = createDrainPace({ now: () => time.now, busy: () => time.busy });
  return {
    pace,
    pass: (ms: number) => void (time.now += ms),
    /** Begins as many attempts as may begin within `ms` milliseconds, and returns their number. */
    drain: (workspaceId: string, ms: number): number => {
      const until = time.now + ms;
      let begun = 0;
      while (time.now < until) {
        if (pace.available(workspaceId)) {
          pace.take();
          begun += 1;
          time.now += busyMs;
          time.busy += busyMs;
        } else time.now += pace.waitMs;
      }
      return begun;
    },
  };
}

test("a queue drains without a rest while its workspace is the only one that sends", () => {
  const { pace, drain } = scene(0.25);
  pace.sentAtOnce("a");
  expect(drain("a", 1000)).toBe(4000);
});

test("beside deliveries of others it keeps the process busy for a sixth of the time, until they have ended for a second", () => {
  const { pace, drain, pass } = scene(0.25);
  pace.sentAtOnce("b");
  pace.sentAtOnce("a");
  const begun = drain("a", 990);
  expect(begun).toBeGreaterThan(640);
  expect(begun).toBeLessThan(700);
  pass(10);
  expect(drain("a", 100)).toBe(400);
});

test("it goes on when other work fills the process", () => {
  const { pace, drain } = scene(1);
  pace.sentAtOnce("b");
  const begun = drain("a", 990);
  expect(begun).toBeGreaterThan(600);
});
