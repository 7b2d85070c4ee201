import fc from "fast-check";
import { expect, test } from "vitest";
import { createWriteGate } from "./write-gate.ts";

test("for any work, some of it failing, the bound holds and everything is done in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.boolean(), { maxLength: 30 }),
      async (limit, works) => {
        const gate = createWriteGate(limit);
        const started: number[] = [];
        let running = 0;
        const outcomes = await Promise.allSettled(
          works.map((fails, index) =>
            gate(async () => {
              started.push(index);
              running += 1;
              expect(running).toBeLessThanOrEqual(limit);
              await new Promise(setImmediate);
              running -= 1;
              if (fails) throw new Error("failed");
            }),
          ),
        );
        expect(outcomes.map(({ status }) => status === "rejected")).toEqual(works);
        expect(started).toEqual(works.map((_, index) => index));
        // All places are free again.
        await Promise.all(Array.from({ length: limit }, () => gate(async () => expect(running).toBe(0))));
      },
    ),
    { numRuns: 50 },
  );
});
