import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEndpointLimit } from "../../domain/endpoint-limit.ts";
import { createAttemptTurns, type AttemptTurns, type TurnQueue } from "./attempt-turns.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], now: 0 }));
afterEach(() => void vi.useRealTimers());

interface Queue extends TurnQueue {
  waiting: number;
  running: number;
  begun: number;
  takesMs: number;
}

/** Queues over a clock that stands still unless it is moved; attempts take as long as their endpoint does. */
function scene(places: number) {
  let clock = 0;
  const turns: AttemptTurns<Queue> = createAttemptTurns<Queue>({
    places,
    serve: pump,
    times: { now: () => clock, busy: () => 0 },
  });

  function pump(queue: Queue): boolean {
    let begun = false;
    while (queue.waiting > 0 && queue.running < queue.limit.current) {
      if (!turns.mayBegin(queue) || (begun && !queue.limit.responds)) return (turns.wait(queue), begun);
      queue.waiting -= 1;
      begin(queue, "waited");
      begun = true;
    }
    turns.forget(queue);
    return begun;
  }

  function begin(queue: Queue, road: "new" | "waited"): void {
    turns.take(queue, road);
    queue.running += 1;
    queue.begun += 1;
    setTimeout(() => {
      const answered = queue.takesMs < 10_000;
      queue.limit.observe(queue.takesMs, answered);
      turns.leave(queue, answered);
      queue.running -= 1;
      pump(queue);
      turns.serve();
    }, queue.takesMs);
  }

  return {
    queue: (workspaceId: string, takesMs: number, waiting = 0): Queue => ({
      workspaceId,
      takesMs,
      waiting,
      limit: createEndpointLimit(50),
      running: 0,
      silentRunning: 0,
      begun: 0,
    }),
    pump,
    /** Whether it begins at once. */
    send(queue: Queue): boolean {
      const atOnce = turns.mayBeginNew(queue);
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

/** 200 endpoints of ten workspaces and 20 of others hang, with 50,000 deliveries due. */
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
  const hanging = crowd(one);
  // The first attempt of each workspace waits for nobody.
  expect(
    Map.groupBy(
      hanging.filter(({ begun }) => begun > 0),
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
      hanging.reduce((sum, { running }) => sum + running, 0),
    );
  }
  expect({ late, begun: quick.begun }).toEqual({ late: 0, begun: 1500 });
  expect(most).toBeLessThanOrEqual(750);
  // A burst, then 25 a second; one for each workspace at any time.
  const starts = hanging.reduce((sum, { begun }) => sum + begun, 0);
  expect(starts).toBeLessThanOrEqual(32 + 60 * 25 + 30 * 7);
  // They go on meanwhile, each of them.
  expect(Math.min(...hanging.map(({ begun }) => begun))).toBeGreaterThanOrEqual(2);
});

test("a workspace whose endpoint is not known yet does not wait for those that hang either", () => {
  const one = scene(1000);
  crowd(one);
  one.pass(3000);
  const fresh = one.queue("fresh", 5);
  expect(one.send(fresh)).toBe(true);
  fresh.waiting = 9;
  one.pump(fresh);
  // Its second start is the next one: it has fewer under way than all others.
  one.pass(5 + 20);
  expect(fresh.begun).toBe(10);
});

test("endpoints that hang leave places to those that answer, however many workspaces they are of", () => {
  const one = scene(100);
  const queues = Array.from({ length: 300 }, (_, index) => one.queue(`hangs ${index}`, 10_000, 50));
  for (const each of queues) one.pump(each);
  one.pass(9000);
  const known = one.queue("known", 5);
  known.limit.observe(5, true);
  expect(one.send(known)).toBe(true);
});

test("an endpoint that answers slowly is not held up by those that hang", () => {
  const one = scene(1000);
  crowd(one);
  one.pass(3000);
  const slow = one.queue("slow", 2000, 100);
  one.pump(slow);
  one.pass(2000);
  // After its first answers it has as many under way as its limit allows, at once.
  expect(slow.running).toBe(slow.limit.current);
  one.pass(6000);
  expect(slow.begun).toBeGreaterThanOrEqual(30);
});
