import { sharedByFile } from "@canvass/testing/shared-by-file";
import { describe, expect, test } from "vitest";
import { everyOther } from "./every-other.ts";
import { keyedOperations } from "./keyed-writes/index.ts";
import { killDuring } from "./idempotency-kills/kill-during.ts";
import { expectNothingLater, services, startKillWorld } from "./idempotency-kills/kill-world.ts";

const half = services.flatMap((name) => everyOther(keyedOperations.filter(({ service }) => service === name)));

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

test("no write happens again later", () => expectNothingLater(world), 240_000);
