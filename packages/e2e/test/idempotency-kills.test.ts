import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { killDuring } from "./idempotency-kills/kill-during.ts";
import { expectNothingLater, services, startKillWorld, type KillWorld } from "./idempotency-kills/kill-world.ts";

let world: KillWorld;

beforeAll(async () => {
  world = await startKillWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const places = ["before its commit", "behind its commit"] as const;
/** Those that wait while more are held must not meet the time limits of their transactions. */
const heldAtOnce = 16;

// Every other step: idempotency-kills.nightly.ts.
describe("every write happens once", () => {
  test.each(services)("when the %s service is killed before its commit, or behind it", async (service) => {
    const subjects = world.subjects.filter(({ operation }) => operation.service === service);
    const plans = subjects.flatMap((subject) =>
      places.map((place, index) => ({ subject, api: subject.apis[index]!, place })),
    );
    expect(await killDuring(world, plans, service)).toBe(plans.length);
  });

  test("when the gateway is killed before its own answer", async () => {
    for (let from = 0; from < world.subjects.length; from += heldAtOnce) {
      const some = world.subjects.slice(from, from + heldAtOnce);
      const plans = some.map((subject) => ({ subject, api: subject.apis[0]!, place: places[1] }));
      expect(await killDuring(world, plans, "gateway")).toBe(some.length);
    }
  });
});

test("nothing of it happens again later", () => expectNothingLater(world), 240_000);
