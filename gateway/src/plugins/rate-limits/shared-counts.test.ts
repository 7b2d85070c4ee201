import { createLogger, createMetrics } from "@canvass/telemetry";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createCallCounter, type RateLimitStatus } from "./call-counter.ts";
import type { Counted, CountStore } from "./count-store.ts";
import { startSharedCounts } from "./shared-counts.ts";

const log = createLogger({ service: "test", level: "silent", pretty: false });
const gone = new Error("gone");

/** A store in memory that counts like the real one and can be down. */
function memoryStore() {
  const minutes = new Map<string, { calls: number; endsAt: number }>();
  const store = {
    now: 0,
    away: false,
    statements: 0,
    prepare: async () => {
      if (store.away) throw gone;
    },
    purge: async () => {},
    add: async (keys: string[], calls: number[]): Promise<Counted[]> => {
      if (store.away) throw gone;
      store.statements += 1;
      return keys
        .map((key, index) => {
          const known = minutes.get(key);
          const minute = known && known.endsAt > store.now ? known : { calls: 0, endsAt: store.now + 60_000 };
          minute.calls += calls[index]!;
          minutes.set(key, minute);
          return { key, calls: minute.calls, leftMs: minute.endsAt - store.now };
        })
        .toReversed();
    },
    [Symbol.asyncDispose]: async () => {},
  } satisfies CountStore & Record<string, unknown>;
  return store;
}

type MemoryStore = ReturnType<typeof memoryStore>;
const share = (store: MemoryStore, checkMs = 60_000) =>
  startSharedCounts({ store, secret: "s".repeat(32), log, metrics: createMetrics("test"), checkMs });

test("for any calls at any of three gateways the limit holds as if there were one", async () => {
  const calls = fc.array(
    fc.array(fc.record({ gateway: fc.nat(2), key: fc.constantFrom("a", "b", "c") }), { maxLength: 12 }),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 1, max: 6 }), async (turns, limit) => {
      const store = memoryStore();
      const gateways = [await share(store), await share(store), await share(store)];
      const counters = gateways.map((each) => each.counter("reads", limit));
      const model = createCallCounter(limit);
      for (const turn of turns) {
        const statuses: Promise<RateLimitStatus>[] = turn.map(async ({ gateway, key }) =>
          counters[gateway]!(key, store.now),
        );
        const expected = turn.map(({ key }) => [key, model(key, store.now)] as const);
        const got = (await Promise.all(statuses)).map((status, index) => [turn[index]!.key, status] as const);
        // The calls of one turn are counted in any order.
        expect(sorted(got)).toEqual(sorted(expected));
        store.now += 7_000;
      }
      for (const gateway of gateways) await gateway[Symbol.asyncDispose]();
    }),
    { numRuns: 50 },
  );
});

const sorted = (statuses: (readonly [string, RateLimitStatus])[]) =>
  statuses.map((each) => JSON.stringify(each)).sort();

test("calls of one turn are one statement, and a refused caller does not reach the store again", async () => {
  const store = memoryStore();
  await using shared = await share(store);
  const count = shared.counter("reads", 5);
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => count("a", 0)));
  expect(statuses.filter(({ allowed }) => allowed)).toHaveLength(5);
  expect(store.statements).toBe(1);
  expect(count("a", 10_000)).toEqual({ allowed: false, remaining: 0, resetsInSeconds: 50 });
  store.now = 60_000;
  expect(await count("a", 60_000)).toMatchObject({ allowed: true, remaining: 4 });
});

test("a refused caller reaches the store again after the clock of the gateway was set back", async () => {
  const store = memoryStore();
  await using shared = await share(store);
  const count = shared.counter("reads", 1);
  await Promise.all([count("a", 3_600_000), count("a", 3_600_000)]);
  expect(count("a", 3_600_000)).toMatchObject({ allowed: false });
  store.now = 60_000;
  expect(await count("a", 60_000)).toEqual({ allowed: true, remaining: 0, resetsInSeconds: 60 });
});

test("each limit of a key has its own count", async () => {
  const store = memoryStore();
  await using shared = await share(store);
  expect(await shared.counter("reads", 1)("a", 0)).toMatchObject({ allowed: true });
  expect(await shared.counter("writes", 1)("a", 0)).toMatchObject({ allowed: true });
});

test("while the store is down a process counts for itself, without waiting; later it asks the store again", async () => {
  const store = memoryStore();
  store.away = true;
  await using shared = await share(store, 5);
  const count = shared.counter("reads", 2);
  expect(["a", "a", "a"].map((key) => (count(key, 0) as RateLimitStatus).allowed)).toEqual([true, true, false]);
  store.away = false;
  await expect.poll(() => count("b", 0) instanceof Promise).toBe(true);
  store.away = true;
  expect(await Promise.all([count("c", 0), count("c", 0), count("c", 0)])).toMatchObject([
    { allowed: true },
    { allowed: true },
    { allowed: false },
  ]);
  expect(count("d", 0)).toMatchObject({ allowed: true });
});

test("a look after the store that hangs, or fails at once, is followed by others", async () => {
  vi.useFakeTimers();
  const store = memoryStore();
  const hangs = () => new Promise<void>(() => undefined);
  const throws = () => {
    throw gone;
  };
  store.prepare = vi
    .fn<() => Promise<void>>(async () => undefined)
    .mockImplementationOnce(hangs)
    .mockImplementationOnce(throws);
  const starting = share(store, 1_000);
  await vi.advanceTimersByTimeAsync(60_000);
  await using shared = await starting;
  const count = shared.counter("reads", 5);
  await count("a", 0);
  expect(store.statements).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  await count("a", 0);
  expect(store.statements).toBe(1);
});
