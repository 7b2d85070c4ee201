import type { AppError } from "@canvass/errors";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyedSemaphore, type KeyedSemaphoreOptions } from "./keyed-semaphore.ts";

/** A semaphore whose work ends when the test calls `end`. `begun` names the keys in the order of their permits. */
function heldPermits(options: KeyedSemaphoreOptions) {
  const permits = createKeyedSemaphore(options);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (key: string, signal?: AbortSignal) =>
    permits.run(key, signal, async () => {
      begun.push(key);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const end = async () => {
    ends.shift()!();
    await new Promise(setImmediate);
  };
  return {
    permits,
    begun,
    ask,
    end,
    get held() {
      return ends.length;
    },
  };
}

test("keys are served round robin, however many calls of one of them wait", async () => {
  const held = heldPermits({ perKey: 1, total: 2, maxWaiting: 100 });
  const all = "aaaaaabbbc".split("").map((key) => held.ask(key));
  while (held.held > 0) await held.end();
  await Promise.all(all);
  expect(held.begun.join("")).toBe("ababcabaaa");
  expect(held.begun.toSorted().join("")).toBe("aaaaaabbbc");
});

test("a key's own queue is bounded, and others are not refused for it", async () => {
  const held = heldPermits({ perKey: 1, total: 1, maxWaiting: 2 });
  const all = ["a", "a", "a", "b"].map((key) => held.ask(key));
  await expect(held.ask("a")).rejects.toMatchObject({ code: "service_unavailable" });
  while (held.held > 0) await held.end();
  await Promise.all(all);
  expect(held.permits.waiting).toBe(0);
});

test("an aborted wait leaves the queue and takes no permit", async () => {
  const held = heldPermits({ perKey: 1, total: 1, maxWaiting: 10 });
  const first = held.ask("a");
  const impatient = new AbortController();
  const gone = held.ask("b", impatient.signal);
  const last = held.ask("c");
  impatient.abort(new Error("too late"));
  await expect(gone).rejects.toThrow("too late");
  await expect(held.ask("d", AbortSignal.abort(new Error("never asked")))).rejects.toThrow("never asked");
  await held.end();
  await held.end();
  await Promise.all([first, last]);
  expect(held.begun).toEqual(["a", "c"]);
});

test("for any load the bounds hold, reserved permits go to keys without one, and all is done, also what fails", async () => {
  const loads = fc.array(fc.record({ key: fc.constantFrom("a", "b", "c"), turns: fc.nat(3), fails: fc.boolean() }));
  await fc.assert(
    fc.asyncProperty(
      loads,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(2),
      async (load, perKey, total, reserved) => {
        const permits = createKeyedSemaphore({ perKey, total, reserved, maxWaiting: 1_000 });
        const running: string[] = [];
        const beyond: string[] = [];
        const done = load.map(({ key, turns, fails }) =>
          permits.run(key, undefined, async () => {
            const own = running.filter((each) => each === key).length;
            running.push(key);
            const most = own === 0 ? total : total - reserved;
            if (running.length > most || own >= perKey) beyond.push(key);
            for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
            running.splice(running.indexOf(key), 1);
            if (fails) throw new Error("failed");
          }),
        );
        const outcomes = await Promise.allSettled(done);
        expect(outcomes.map(({ status }) => status)).toEqual(
          load.map(({ fails }) => (fails ? "rejected" : "fulfilled")),
        );
        expect(beyond).toEqual([]);
        expect(permits.waiting).toBe(0);
      },
    ),
    { numRuns: 100 },
  );
});

const streams = { perKey: 2, total: 4, reserved: 2, counted: "streams" } as const;

function codeOf(acquire: () => Disposable): string {
  try {
    acquire();
    return "acquired";
  } catch (error) {
    return (error as AppError).code;
  }
}

test("a key with all its permits is refused, and gets one again when it releases one", () => {
  const permits = createKeyedSemaphore(streams);
  const [first] = [permits.acquire("a"), permits.acquire("a")];
  expect(() => permits.acquire("a")).toThrow(
    expect.objectContaining({ code: "rate_limited", details: { concurrent_streams: 2 } }),
  );
  first[Symbol.dispose]();
  // Disposing again has no effect.
  first[Symbol.dispose]();
  expect(codeOf(() => permits.acquire("a"))).toBe("acquired");
  expect(codeOf(() => permits.acquire("a"))).toBe("rate_limited");
});

test("several permits are taken or refused together, and released to all that wait", async () => {
  const held = heldPermits({ perKey: 4, total: 6, reserved: 2, maxWaiting: 10, counted: "unread_bytes" });
  const { permits, ask } = held;
  const first = permits.acquire("a", 3);
  expect(() => permits.acquire("a", 2)).toThrow("Too many unread bytes at once.");
  permits.acquire("a");
  expect(codeOf(() => permits.acquire("b", 3))).toBe("service_unavailable");
  permits.acquire("b", 2);
  const waiting = [ask("a"), ask("a"), ask("c")];
  expect(held.begun).toEqual([]);
  first[Symbol.dispose]();
  await new Promise(setImmediate);
  // Of the three released, one remains reserved for a key without permits.
  expect(held.begun).toEqual(["a", "c"]);
  while (held.held > 0) await held.end();
  await Promise.all(waiting);
});

test("keys that hold permits for long leave the reserved ones to others", () => {
  const permits = createKeyedSemaphore(streams);
  permits.acquire("a");
  permits.acquire("a");
  permits.acquire("b");
  expect(codeOf(() => permits.acquire("b"))).toBe("service_unavailable");
  const last = permits.acquire("c");
  expect(codeOf(() => permits.acquire("d"))).toBe("service_unavailable");
  last[Symbol.dispose]();
  expect(codeOf(() => permits.acquire("d"))).toBe("acquired");
});
