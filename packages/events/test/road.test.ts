import { expect, test } from "vitest";
import { openRoad } from "./road.ts";

test("events reach every consumer over the bus, once, and leave the outbox", async () => {
  await using road = await openRoad();
  road.hear();
  const outbox = road.source({ unconfirmedAfterMs: 3_600_000 });
  const first = await road.say(1);
  outbox.nudge();
  expect(await road.faults(first)).toEqual([]);
  const many = await road.say(2500);
  outbox.nudge();
  expect(await road.faults([...first, ...many])).toEqual([]);
});

test("with the bus stopped for good every event arrives by hand-over", async () => {
  await using road = await openRoad({ nats: false });
  road.hear();
  road.source({ unconfirmedAfterMs: 200, sweepIntervalMs: 50 });
  expect(await road.faults(await road.say(1700))).toEqual([]);
  expect(road.bus().connected).toBe(false);
});
