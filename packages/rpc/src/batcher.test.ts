import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { createBatcher } from "./batcher.ts";

test("what is asked within one turn leaves as one batch, and each gets its own result", async () => {
  const batches: number[][] = [];
  const double = createBatcher<number, number>({
    maxSize: 100,
    maxInFlight: 2,
    send: async (items) => {
      batches.push(items);
      return items.map((item) => item * 2);
    },
  });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("under load a batch gathers until enough wait or the time is over; one after a pause leaves at once", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const batches: number[][] = [];
  const ask = createBatcher<number, void>({
    maxSize: 100,
    maxInFlight: 1,
    gather: { ms: 10, enough: 3 },
    send: async (items) => {
      batches.push(items);
      return items.map(() => undefined);
    },
  });
  await ask(1);
  const gathered = [ask(2), ask(3)];
  await new Promise(setImmediate);
  expect(batches).toEqual([[1]]);
  await Promise.all([...gathered, ask(4)]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
  const last = ask(5);
  await vi.advanceTimersByTimeAsync(10);
  await last;
  await vi.advanceTimersByTimeAsync(10);
  await ask(6);
  expect(batches.slice(2)).toEqual([[5], [6]]);
});

test("for any load, order and limits hold and nothing is lost", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 3 }),
      async (items, maxSize, maxInFlight) => {
        let inFlight = 0;
        const ask = createBatcher<number, number>({
          maxSize,
          maxInFlight,
          weigh: (item) => item,
          maxWeight: 100,
          send: async (batch) => {
            inFlight += 1;
            expect(inFlight).toBeLessThanOrEqual(maxInFlight);
            expect(batch.length).toBeLessThanOrEqual(maxSize);
            expect(batch.length === 1 || batch.reduce((sum, item) => sum + item, 0) <= 100).toBe(true);
            await new Promise(setImmediate);
            inFlight -= 1;
            return batch.map((item) => item + 1);
          },
        });
        expect(await Promise.all(items.map(ask))).toEqual(items.map((item) => item + 1));
      },
    ),
    { numRuns: 50 },
  );
});

test("a failed batch fails its own items only, and a full queue refuses", async () => {
  const ask = createBatcher<string, string>({
    maxSize: 1,
    maxInFlight: 1,
    maxQueued: 2,
    send: async ([item]) => {
      if (item === "bad") throw new Error("broken");
      return [item!];
    },
  });
  const results = await Promise.allSettled([ask("bad"), ask("good"), ask("too many")]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  expect((results[2] as PromiseRejectedResult).reason).toMatchObject({ code: "service_unavailable" });
});

test("owners take turns when not all fits, also from one batch to the next", async () => {
  const batches: string[][] = [];
  const ask = createBatcher<string, string>({
    maxSize: 3,
    maxInFlight: 1,
    ownerOf: (item) => item[0]!,
    send: async (items) => {
      batches.push(items);
      await new Promise(setImmediate);
      return items;
    },
  });
  const items = ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1"];
  expect(await Promise.all(items.map(ask))).toEqual(items);
  expect(batches).toEqual([
    ["a1", "b1", "c1"],
    ["a2", "b2", "a3"],
    ["a4", "a5"],
  ]);
});
