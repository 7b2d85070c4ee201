import fc from "fast-check";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { describe, expect, test } from "vitest";
import { keyedOperations } from "./keyed-writes/index.ts";
import { killDuring } from "./idempotency-kills/kill-during.ts";
import { expectNothingLater, services, startKillWorld } from "./idempotency-kills/kill-world.ts";

/** Every other operation of each service, by the seed of the run. */
const half = services.flatMap((service) => {
  const own = keyedOperations.filter((operation) => operation.service === service);
  return own.filter(
    (_operation, index) => own.length === 1 || index % 2 === Math.abs(fc.readConfigureGlobal().seed!) % 2,
  );
});

const world = await sharedByFile(startKillWorld(half));

const places = ["before its commit", "behind its commit"] as const;
/** Those that wait while more are held must not meet the time limits of their transactions. */
const heldAtOnce = 16;

// All operations, at each of their steps: idempotency-kills.nightly.ts.
describe("every write happens once", () => {
  test.each(services)("when the %s service is killed before its commit, or behind it", async (service) => {
    const subjects = world.subjects.filter(({ operation }) => operation.service === service);
    const plans = subjects.flatMap((subject) =>
      places.map((place, index) => ({ subject, api: subject.apis[index]!, place })),
    );
    expect(plans.length).toBeGreaterThan(0);
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
