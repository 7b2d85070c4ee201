import { AppError } from "@canvass/errors";
import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { openEventPath } from "./event-path.ts";

test("events reach every consumer over the bus, once, and leave the outbox", async () => {
  await using eventPath = await openEventPath();
  eventPath.consume();
  const outbox = eventPath.source({ unconfirmedAfterMs: 3_600_000 });
  const first = await eventPath.append(1);
  outbox.nudge();
  expect(await eventPath.faults(first)).toEqual([]);
  const many = await eventPath.append(2500);
  outbox.nudge();
  expect(await eventPath.faults([...first, ...many])).toEqual([]);
});

test("with the bus stopped for good every event arrives by hand-over", async () => {
  await using eventPath = await openEventPath({ nats: false });
  eventPath.consume();
  eventPath.source({ unconfirmedAfterMs: 200, sweepIntervalMs: 50 });
  expect(await eventPath.faults(await eventPath.append(1700))).toEqual([]);
  expect(eventPath.bus().connected).toBe(false);
});

test("events whose effect could not be stored come again by the bus", async () => {
  await using eventPath = await openEventPath();
  let tries = 0;
  eventPath.consume({
    consumers: ["feed"],
    store: async (_, events, store) => {
      tries += 1;
      if (tries === 1) throw new AppError("service_unavailable");
      await store(events);
    },
  });
  const outbox = eventPath.source({ unconfirmedAfterMs: 3_600_000 });
  const events = await eventPath.append(20);
  outbox.nudge();
  await waitFor(async () => (await eventPath.effects()).get("feed")!.size === events.length, {
    describe: "the effects",
  });
  expect(tries).toBeGreaterThan(1);
});
