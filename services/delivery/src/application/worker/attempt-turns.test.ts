import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createConcurrencyLimit } from "../../domain/concurrency-limit.ts";
import { createAttemptTurns, type AttemptTurns, type TurnLane } from "./attempt-turns.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], now: 0 }));
afterEach(() => void vi.useRealTimers());

interface Lane extends TurnLane {
  waiting: number;
  running: number;
  begun: number;
  takesMs: number;
}

/** Lanes with a manual clock. An attempt takes as long as its endpoint. */
function scene(places: number) {
  let clock = 0;
  const turns: AttemptTurns<Lane> = createAttemptTurns<Lane>({
    places,
    serve: pump,
    times: { now: () => clock, busy: () => 0 },
  });

  function pump(lane: Lane): boolean {
    let begun = false;
    while (lane.waiting > 0 && lane.running < lane.limit.current) {
      if (!turns.mayBegin(lane) || (begun && !lane.limit.answers)) return (turns.wait(lane), begun);
      lane.waiting -= 1;
      begin(lane, "waited");
      begun = true;
    }
    turns.forget(lane);
    return begun;
  }

  function begin(lane: Lane, road: "new" | "waited"): void {
    turns.take(lane, road);
    lane.running += 1;
    lane.begun += 1;
    setTimeout(() => {
      const answered = lane.takesMs < 10_000;
      lane.limit.observe(lane.takesMs, answered);
      turns.leave(lane, answered);
      lane.running -= 1;
      pump(lane);
      turns.serve();
    }, lane.takesMs);
  }

  return {
    lane: (workspaceId: string, takesMs: number, waiting = 0): Lane => ({
      workspaceId,
      takesMs,
      waiting,
      limit: createConcurrencyLimit(50),
      running: 0,
      silentRunning: 0,
      begun: 0,
    }),
    pump,
    /** Returns whether the attempt begins at once. */
    send(lane: Lane): boolean {
      const atOnce = turns.mayBeginNew(lane);
      if (atOnce) begin(lane, "new");
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
function crowd({ lane, pump }: ReturnType<typeof scene>): Lane[] {
  const groups = [
    { workspaces: 10, webhooks: 20 },
    { workspaces: 20, webhooks: 1 },
  ];
  const workspaceIds = groups.flatMap(({ workspaces, webhooks }) =>
    Array.from({ length: workspaces * webhooks }, (_, index) => `${webhooks} ${index % workspaces}`),
  );
  const lanes = workspaceIds.map((workspaceId) => lane(workspaceId, 10_000, 227));
  for (const each of lanes) pump(each);
  return lanes;
}

test("beside 220 endpoints that hang, each delivery of another workspace begins without waiting", () => {
  const one = scene(1000);
  const hanging = crowd(one);
  // The first attempt of each workspace does not wait.
  expect(
    Map.groupBy(
      hanging.filter(({ begun }) => begun > 0),
      ({ workspaceId }) => workspaceId,
    ).size,
  ).toBe(30);

  const quick = one.lane("quick", 5);
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
  // A burst of 32, then 25 per second, and always one for each workspace.
  const starts = hanging.reduce((sum, { begun }) => sum + begun, 0);
  expect(starts).toBeLessThanOrEqual(32 + 60 * 25 + 30 * 7);
  // Each of them makes progress.
  expect(Math.min(...hanging.map(({ begun }) => begun))).toBeGreaterThanOrEqual(2);
});

test("a workspace whose endpoint is not known yet does not wait for those that hang either", () => {
  const one = scene(1000);
  crowd(one);
  one.pass(3000);
  const fresh = one.lane("fresh", 5);
  expect(one.send(fresh)).toBe(true);
  fresh.waiting = 9;
  one.pump(fresh);
  // Its workspace is next, because it has fewer attempts in flight than all others.
  one.pass(5 + 20);
  expect(fresh.begun).toBe(10);
});

test("endpoints that hang leave places to those that answer, however many workspaces they are of", () => {
  const one = scene(100);
  const lanes = Array.from({ length: 300 }, (_, index) => one.lane(`hangs ${index}`, 10_000, 50));
  for (const each of lanes) one.pump(each);
  one.pass(9000);
  const known = one.lane("known", 5);
  known.limit.observe(5, true);
  expect(one.send(known)).toBe(true);
});

test("an endpoint that answers slowly is not held up by those that hang", () => {
  const one = scene(1000);
  crowd(one);
  one.pass(3000);
  const slow = one.lane("slow", 2000, 100);
  one.pump(slow);
  one.pass(2000);
  // After its first responses it has as many attempts in flight as its limit allows.
  expect(slow.running).toBe(slow.limit.current);
  one.pass(6000);
  expect(slow.begun).toBeGreaterThanOrEqual(30);
});
