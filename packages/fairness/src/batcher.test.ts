import { AppError } from "@canvass/errors";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { createBatcher } from "./batcher.ts";

test("calls of one turn are sent as one batch, and each gets its own result", async () => {
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

test("under load a batch lingers until enough wait or the time is over; one after a pause leaves at once", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const batches: number[][] = [];
  const ask = createBatcher<number, void>({
    maxSize: 100,
    maxInFlight: 1,
    linger: { ms: 10, enough: 3 },
    send: async (items) => {
      batches.push(items);
      return items.map(() => undefined);
    },
  });
  await ask(1);
  const lingering = [ask(2), ask(3)];
  await new Promise(setImmediate);
  expect(batches).toEqual([[1]]);
  await Promise.all([...lingering, ask(4)]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
  const last = ask(5);
  await vi.advanceTimersByTimeAsync(10);
  await last;
  await vi.advanceTimersByTimeAsync(10);
  await ask(6);
  expect(batches.slice(2)).toEqual([[5], [6]]);
});

test("for any load limits hold, heavy items are sent one at a time, and each gets its own result", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 3 }),
      async (items, maxSize, maxInFlight) => {
        let inFlight = 0;
        let heavy = 0;
        const ask = createBatcher<number, number>({
          maxSize,
          maxInFlight,
          weightOf: (item) => item,
          maxWeight: 40,
          send: async (batch) => {
            inFlight += 1;
            expect(inFlight).toBeLessThanOrEqual(maxInFlight);
            expect(batch.length).toBeLessThanOrEqual(maxSize);
            const weight = batch.reduce((sum, item) => sum + item, 0);
            expect(batch.length === 1 || weight <= 40).toBe(true);
            if (weight > 40) heavy += 1;
            expect(heavy).toBeLessThanOrEqual(1);
            await new Promise(setImmediate);
            inFlight -= 1;
            if (weight > 40) heavy -= 1;
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

test("owners are served round robin when not all fits, also from one batch to the next", async () => {
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

test("for any load a batch has items of one owner, and an owner one batch in flight", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 4 }),
      async (items, maxSize, maxInFlight) => {
        const inFlight = new Set<string>();
        const ask = createBatcher<string, string>({
          maxSize,
          maxInFlight,
          ownerOf: (item) => item,
          oneOwnerPerBatch: true,
          send: async (batch) => {
            const [owner] = batch as [string];
            expect(new Set(batch).size).toBe(1);
            expect(inFlight.has(owner)).toBe(false);
            inFlight.add(owner);
            expect(inFlight.size).toBeLessThanOrEqual(maxInFlight);
            await new Promise(setImmediate);
            inFlight.delete(owner);
            return batch;
          },
        });
        expect(await Promise.all(items.map(ask))).toEqual(items);
      },
    ),
    { numRuns: 50 },
  );
});

test("an owner whose batch hangs does not delay others", async () => {
  const hanging = Promise.withResolvers<void>();
  const ask = createBatcher<string, string>({
    maxSize: 10,
    maxInFlight: 2,
    ownerOf: (item) => item[0]!,
    oneOwnerPerBatch: true,
    send: async (items) => {
      if (items.includes("a1")) await hanging.promise;
      return items;
    },
  });
  const first = ask("a1");
  await new Promise(setImmediate);
  const late = ask("a2");
  expect(await Promise.all(["b1", "c1", "b2"].map(ask))).toEqual(["b1", "c1", "b2"]);
  hanging.resolve();
  expect(await Promise.all([first, late])).toEqual(["a1", "a2"]);
});

test("a heavy item is sent alone, and while it is in flight, light ones pass the next heavy one", async () => {
  const calls: { ids: string[]; end: () => void }[] = [];
  const ask = createBatcher<string, string>({
    maxSize: 10,
    maxInFlight: 2,
    weightOf: (item) => item.length,
    maxWeight: 3,
    send: async (items) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      calls.push({ ids: items, end: resolve });
      await promise;
      return items;
    },
  });
  const all = Promise.all(["heavy", "heavier", "a", "b", "cc"].map(ask));
  const sent = (count: number) => vi.waitUntil(() => calls.length >= count);
  await sent(2);
  calls[1]!.end();
  await sent(3);
  expect(calls.map(({ ids }) => ids)).toEqual([["heavy"], ["a", "b"], ["cc"]]);
  calls[0]!.end();
  calls[2]!.end();
  await sent(4);
  expect(calls[3]!.ids).toEqual(["heavier"]);
  calls[3]!.end();
  await all;
});

test("an item that waited for half of its deadline fails unsent, and a call gets the other half", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const sent: number[][] = [];
  const ask = createBatcher<number, number>({
    deadlineMs: 200,
    maxSize: 1,
    maxInFlight: 1,
    send: async (items, timeoutMs) => {
      sent.push(items);
      expect(timeoutMs).toBe(100);
      vi.advanceTimersByTime(timeoutMs + 20);
      throw new AppError("deadline_exceeded");
    },
  });
  const results = await Promise.allSettled([1, 2, 3].map(ask));
  expect(results.map((result) => result.status === "rejected" && (result.reason as AppError).code)).toEqual([
    "deadline_exceeded",
    "deadline_exceeded",
    "deadline_exceeded",
  ]);
  expect(sent).toEqual([[1]]);
});

test("items that waited too long use up no turn of their owner", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const sent: string[] = [];
  const results: Promise<string>[] = [];
  const ask = createBatcher<string, string>({
    deadlineMs: 200,
    maxSize: 1,
    maxInFlight: 1,
    ownerOf: (item) => item[0]!,
    send: async (items) => {
      sent.push(...items);
      if (sent.length > 1) return items;
      vi.advanceTimersByTime(120);
      results.push(...["b1", "b2", "a3"].map(ask));
      return items;
    },
  });
  results.push(...["b0", "a1", "a2"].map(ask));
  await Promise.allSettled(results);
  await Promise.allSettled(results);
  expect(sent).toEqual(["b0", "a3", "b1", "b2"]);
});

test("an AppError among the results is its item's own", async () => {
  const ask = createBatcher<number, number>({
    maxSize: 10,
    maxInFlight: 1,
    send: async (items) => items.map((item) => (item === 2 ? new AppError("survey_not_found") : item)),
  });
  const results = await Promise.allSettled([1, 2, 3].map(ask));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});
