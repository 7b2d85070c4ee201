import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { repairOutbox } from "../src/index.ts";
import { now, openEventPath } from "./event-path.ts";

test("events of an hour ahead are handed over after the clock was set back, whether published and lost or never published", async () => {
  await using eventPath = await openEventPath({ nats: false });
  eventPath.consume();
  const events = await eventPath.append(20);
  await eventPath.sql.query(
    `UPDATE outbox_events SET occurred_at = occurred_at + interval '1 hour',
       published_at = CASE WHEN event_id < $1 THEN occurred_at + interval '1 hour' END`,
    [events[10]],
  );
  eventPath.source({ unconfirmedAfterMs: 300, sweepIntervalMs: 50 });
  const others = await eventPath.append(3);
  // Once the others are gone, a sweep has run.
  await waitFor(async () => (await eventPath.outboxSize()) === 20, { describe: "the others" });
  await repairOutbox(eventPath.sql, now());
  expect(await eventPath.faults([...events, ...others])).toEqual([]);
});
