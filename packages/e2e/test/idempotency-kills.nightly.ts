import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyedOperations } from "./keyed-writes/index.ts";
import { killDuring } from "./idempotency-kills/kill-during.ts";
import {
  expectNothingLater,
  services,
  startKillWorld,
  writesAtOnce,
  type KillWorld,
  type Subject,
} from "./idempotency-kills/kill-world.ts";

let world: KillWorld;

beforeAll(async () => {
  world = await startKillWorld();
  // A process that ends normally leaves its program compiled, a killed one does not.
  for (const name of ["gateway", ...services]) {
    await world.demo.system.stop(name);
    await world.demo.system.start(name);
  }
});
afterAll(() => world?.[Symbol.asyncDispose]());

const heldAtOnce = 16;
/** More steps than any write has. */
const tooMany = 25;

describe("every write happens once", () => {
  test.each(services)(
    "between whatever steps of its transaction the %s service is killed",
    async (service) => {
      let left = world.subjects.filter(({ operation }) => operation.service === service);
      // A retry of this test starts from no points.
      for (const subject of left) subject.points = [];
      for (let steps = 0; left.length > 0 && steps < tooMany; steps += writesAtOnce) {
        const plans = left.flatMap((subject) =>
          subject.apis.map((api, index) => ({ subject, api, steps: steps + index })),
        );
        await killDuring(world, plans, service);
        left = left.filter(({ points }) => points.length === steps + writesAtOnce);
      }
      expect(left.map(({ operation }) => operation.name)).toEqual([]);
    },
    600_000,
  );

  test.each(keyedOperations.map(({ name }) => name))("%s was held at each of its steps", (name) => {
    const { points } = world.subjects.find(({ operation }) => operation.name === name)!;
    expect(points.length, "steps from the claim to the commit").toBeGreaterThan(4);
    expect(points.findIndex(({ ended }) => ended)).toBe(points.length - 1);
  });

  // The cases that differ for a gateway: before any step, before the commit, before its own answer.
  test.each([
    ["before any step", () => 0],
    ["before the commit", ({ points }: Subject) => points.length - 2],
    ["before its own answer", ({ points }: Subject) => points.length - 1],
  ])(
    "when the gateway is killed %s",
    async (_when, stepsOf) => {
      // More held at once would meet the time limits of their transactions.
      for (let from = 0; from < world.subjects.length; from += heldAtOnce) {
        const some = world.subjects.slice(from, from + heldAtOnce);
        const plans = some.map((subject) => ({ subject, api: subject.apis[0]!, steps: stepsOf(subject) }));
        expect(await killDuring(world, plans, "gateway")).toBe(some.length);
      }
    },
    600_000,
  );
});

test("no write happens again later", () => expectNothingLater(world), 240_000);
