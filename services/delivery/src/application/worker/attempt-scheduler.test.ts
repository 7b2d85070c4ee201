import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEndpointLimit } from "../../domain/attempt-slots.ts";
import { createAttemptScheduler, type AttemptScheduler, type ScheduledQueue } from "./attempt-scheduler.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], now: 0 }));
afterEach(() => void vi.useRealTimers());

interface Queue extends ScheduledQueue {
  waiting: number;
  running: number;
  begun: number;
  takesMs: number;
}

/** Queues over a clock that stands still unless it is moved; attempts take as long as their endpoint does. */
function scene(slots: number) {
  let clock = 0;
  const scheduler: AttemptScheduler<Queue> = createAttemptScheduler<Queue>({
    slots,
    serve: pump,
    times: { now: () => clock, busy: () => 0 },
  });

  function pump(queue: Queue): boolean {
    let begun = false;
    while (queue.waiting > 0 && queue.running < queue.limit.current) {
      if (!scheduler.mayBegin(queue) || (begun && !queue.limit.responds)) return (scheduler.wait(queue), begun);
      queue.waiting -= 1;
      begin(queue, "waited");
      begun = true;
    }
    scheduler.forget(queue);
    return begun;
  }

  function begin(queue: Queue, via: "new" | "waited"): void {
    scheduler.take(queue, via);
    queue.running += 1;
    queue.begun += 1;
    setTimeout(() => {
      const responded = queue.takesMs < 10_000;
      queue.limit.observe(queue.takesMs, responded);
      scheduler.leave(queue, responded);
      queue.running -= 1;
      pump(queue);
      scheduler.serve();
    }, queue.takesMs);
  }

  return {
    queue: (workspaceId: string, takesMs: number, waiting = 0): Queue => ({
      workspaceId,
      takesMs,
      waiting,
      limit: createEndpointLimit(50),
      running: 0,
      unresponsiveRunning: 0,
      begun: 0,
    }),
    pump,
    /** Begins an attempt at once if it may; returns whether it did. */
    send(queue: Queue): boolean {
      const atOnce = scheduler.mayBeginNew(queue);
      if (atOnce) begin(queue, "new");
      return atOnce;
    },
    pass(ms: number): void {
      for (let passed = 0; passed < ms; passed += 1) {
        clock += 1;
        vi.advanceTimersByTime(1);
      }
    },
  };
}

/** Adds 200 endpoints of ten workspaces and 20 of others that hang, with 50,000 deliveries due. */
function crowd({ queue, pump }: ReturnType<typeof scene>): Queue[] {
  const groups = [
    { workspaces: 10, webhooks: 20 },
    { workspaces: 20, webhooks: 1 },
  ];
  const workspaceIds = groups.flatMap(({ workspaces, webhooks }) =>
    Array.from({ length: workspaces * webhooks }, (_, index) => `${webhooks} ${index % workspaces}`),
  );
  const queues = workspaceIds.map((workspaceId) => queue(workspaceId, 10_000, 227));
  for (const each of queues) pump(each);
  return queues;
}

test("beside 220 endpoints that hang, each delivery of another workspace begins without waiting", () => {
  const one = scene(1000);
  const unresponsive = crowd(one);
  // The first attempt of each workspace waits for nobody.
  expect(
    Map.groupBy(
      unresponsive.filter(({ begun }) => begun > 0),
      ({ workspaceId }) => workspaceId,
    ).size,
  ).toBe(30);

  const quick = one.queue("quick", 5);
  let most = 0;
  let late = 0;
  for (let sent = 0; sent < 1500; sent += 1) {
    if (!one.send(quick)) late += 1;
    one.pass(40);
    most = Math.max(
      most,
      unresponsive.reduce((sum, { running }) => sum + running, 0),
    );
  }
  expect({ late, begun: quick.begun }).toEqual({ late: 0, begun: 1500 });
  expect(most).toBeLessThanOrEqual(750);
  // A burst, then 25 a second; one for each workspace at any time.
  const starts = unresponsive.reduce((sum, { begun }) => sum + begun, 0);
  expect(starts).toBeLessThanOrEqual(32 + 60 * 25 + 30 * 7);
  // They go on meanwhile, each of them.
  expect(Math.min(...unresponsive.map(({ begun }) => begun))).toBeGreaterThanOrEqual(2);
});

test("a workspace whose endpoint is not known yet does not wait for those that hang either", () => {
  const one = scene(1000);
  crowd(one);
  one.pass(3000);
  const newcomer = one.queue("newcomer", 5);
  expect(one.send(newcomer)).toBe(true);
  newcomer.waiting = 9;
  one.pump(newcomer);
  // Its second start is the next one: it has fewer in flight than all others.
  one.pass(5 + 20);
  expect(newcomer.begun).toBe(10);
});

test("endpoints that hang leave slots to those that respond, however many workspaces they are of", () => {
  const one = scene(100);
  const queues = Array.from({ length: 300 }, (_, index) => one.queue(`hangs ${index}`, 10_000, 50));
  for (const each of queues) one.pump(each);
  one.pass(9000);
  const known = one.queue("known", 5);
  known.limit.observe(5, true);
  expect(one.send(known)).toBe(true);
});

test("an endpoint that responds slowly is not held up by those that hang", () => {
  const one = scene(1000);
  crowd(one);
  one.pass(3000);
  const slow = one.queue("slow", 2000, 100);
  one.pump(slow);
  one.pass(2000);
  // After its first responses it has as many in flight as its limit allows, at once.
  expect(slow.running).toBe(slow.limit.current);
  one.pass(6000);
  expect(slow.begun).toBeGreaterThanOrEqual(30);
});
