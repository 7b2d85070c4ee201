import { AppError } from "@canvass/errors";
import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { outboxRows } from "../src/append-events.ts";
import { publishEvents } from "../src/publish-events.ts";
import { leavingOut, openEventPath, silent, someEvent } from "./event-path.ts";

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

test("events that a store leaves out for long do not keep those of others from the bus", async () => {
  await using eventPath = await openEventPath();
  // More messages than the server leaves unacknowledged.
  const leftOut = Array.from({ length: 300 }, someEvent);
  const ids = new Set(leftOut.map(({ eventId }) => eventId));
  eventPath.consume({ consumers: ["feed"], store: leavingOut(ids) });
  const outbox = eventPath.source({ unconfirmedAfterMs: 3_600_000 });
  const connection = await eventPath.bus().whenConnected(AbortSignal.timeout(10_000));
  for (const event of leftOut) await publishEvents(connection!, outboxRows([event]), silent);
  const events = await eventPath.append(5);
  outbox.nudge();
  await waitFor(async () => (await eventPath.effects()).get("feed")!.size === events.length, {
    describe: "the effects of the others",
  });
  expect([...(await eventPath.effects()).get("feed")!.keys()].sort()).toEqual(events.sort());
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
