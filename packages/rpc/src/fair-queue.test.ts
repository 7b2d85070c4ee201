import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue, type FairQueueOptions } from "./fair-queue.ts";

const never = new AbortController().signal;

/** A queue whose work ends when the test calls `end`. `begun` names the owners in the order of their turns. */
function heldQueue(options: FairQueueOptions) {
  const queue = createFairQueue(options);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (owner: string, signal = never) =>
    queue.run(owner, signal, async () => {
      begun.push(owner);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const end = async () => {
    ends.shift()!();
    await new Promise(setImmediate);
  };
  return {
    queue,
    begun,
    ask,
    end,
    get held() {
      return ends.length;
    },
  };
}

test("owners take turns, however much one of them has waiting", async () => {
  const held = heldQueue({ perOwner: 1, together: 2, mostWaiting: 100 });
  const all = "aaaaaabbbc".split("").map((owner) => held.ask(owner));
  while (held.held > 0) await held.end();
  await Promise.all(all);
  expect(held.begun.join("")).toBe("ababcabaaa");
  expect(held.begun.toSorted().join("")).toBe("aaaaaabbbc");
});

test("an owner's own queue is bounded, and others are not refused for it", async () => {
  const held = heldQueue({ perOwner: 1, together: 1, mostWaiting: 2 });
  const all = ["a", "a", "a", "b"].map((owner) => held.ask(owner));
  await expect(held.ask("a")).rejects.toMatchObject({ code: "service_unavailable" });
  while (held.held > 0) await held.end();
  await Promise.all(all);
  expect(held.queue.waiting).toBe(0);
});

test("who gives up while waiting leaves the queue and takes nobody's place", async () => {
  const held = heldQueue({ perOwner: 1, together: 1, mostWaiting: 10 });
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

test("for any load the bounds hold, and all is done, also what fails", async () => {
  const loads = fc.array(fc.record({ owner: fc.constantFrom("a", "b", "c"), turns: fc.nat(3), fails: fc.boolean() }));
  await fc.assert(
    fc.asyncProperty(
      loads,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 4 }),
      async (load, perOwner, together) => {
        const queue = createFairQueue({ perOwner, together, mostWaiting: 1_000 });
        const running: string[] = [];
        const beyond: string[] = [];
        const done = load.map(({ owner, turns, fails }) =>
          queue.run(owner, never, async () => {
            running.push(owner);
            const own = running.filter((each) => each === owner).length;
            if (running.length > together || own > perOwner) beyond.push(owner);
            for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
            running.splice(running.indexOf(owner), 1);
            if (fails) throw new Error("failed");
          }),
        );
        const outcomes = await Promise.allSettled(done);
        expect(outcomes.map(({ status }) => status)).toEqual(
          load.map(({ fails }) => (fails ? "rejected" : "fulfilled")),
        );
        expect(beyond).toEqual([]);
        expect(queue.waiting).toBe(0);
      },
    ),
    { numRuns: 100 },
  );
});
