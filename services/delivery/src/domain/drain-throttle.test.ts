import { expect, test } from "vitest";
import { createDrainThrottle } from "./drain-throttle.ts";

/** Each attempt keeps the process busy for `busyMs`. */
function scene(busyMs: number) {
  const time = { now: 0, busy: 0 };
  const throttle = createDrainThrottle({ now: () => time.now, busy: () => time.busy });
  return {
    throttle,
    pass: (ms: number) => void (time.now += ms),
    /** Begins as many attempts as may begin within `ms` milliseconds, and returns their number. */
    drain: (workspaceId: string, ms: number): number => {
      const until = time.now + ms;
      let begun = 0;
      while (time.now < until) {
        if (throttle.available(workspaceId)) {
          throttle.take();
          begun += 1;
          time.now += busyMs;
          time.busy += busyMs;
        } else time.now += throttle.waitMs;
      }
      return begun;
    },
  };
}

test("a queue drains without a pause while its workspace is the only one that sends", () => {
  const { throttle, drain } = scene(0.25);
  throttle.sentAtOnce("a");
  expect(drain("a", 1000)).toBe(4000);
});

test("beside new deliveries of others a queue keeps the process busy for a sixth of the time, until there were none for a second", () => {
  const { throttle, drain, pass } = scene(0.25);
  throttle.sentAtOnce("b");
  throttle.sentAtOnce("a");
  const begun = drain("a", 990);
  expect(begun).toBeGreaterThan(640);
  expect(begun).toBeLessThan(700);
  pass(10);
  expect(drain("a", 100)).toBe(400);
});

test("a queue drains even if its attempts keep the process busy", () => {
  const { throttle, drain } = scene(1);
  throttle.sentAtOnce("b");
  const begun = drain("a", 990);
  expect(begun).toBeGreaterThan(600);
});
