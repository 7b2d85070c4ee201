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
