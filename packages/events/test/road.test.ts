import { AppError } from "@canvass/errors";
import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { openRoad } from "./road.ts";

test("events reach every consumer over the bus, once, and leave the outbox", async () => {
  await using road = await openRoad();
  road.consume();
  const outbox = road.source({ unconfirmedAfterMs: 3_600_000 });
  const first = await road.publish(1);
  outbox.nudge();
  expect(await road.faults(first)).toEqual([]);
  const many = await road.publish(2500);
  outbox.nudge();
  expect(await road.faults([...first, ...many])).toEqual([]);
});

test("with the bus stopped for good every event arrives by hand-over", async () => {
  await using road = await openRoad({ nats: false });
  road.consume();
  road.source({ unconfirmedAfterMs: 200, sweepIntervalMs: 50 });
  expect(await road.faults(await road.publish(1700))).toEqual([]);
  expect(road.bus().connected).toBe(false);
});

test("events whose effect could not be stored come again by the bus", async () => {
  await using road = await openRoad();
  let tries = 0;
  road.consume({
    consumers: ["feed"],
    store: async (_, events, store) => {
      tries += 1;
      if (tries === 1) throw new AppError("service_unavailable");
      await store(events);
    },
  });
  const outbox = road.source({ unconfirmedAfterMs: 3_600_000 });
  const events = await road.publish(20);
  outbox.nudge();
  await waitFor(async () => (await road.effects()).get("feed")!.size === events.length, { describe: "the effects" });
  expect(tries).toBeGreaterThan(1);
});
