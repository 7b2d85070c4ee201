import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { repairOutbox } from "../src/index.ts";
import { now, openRoad } from "./road.ts";

test("what was written an hour ahead is handed over once the clock is set back, published and lost or not published", async () => {
  await using road = await openRoad({ nats: false });
  road.consume();
  const events = await road.publish(20);
  await road.sql.query(
    `UPDATE outbox_events SET occurred_at = occurred_at + interval '1 hour',
       published_at = CASE WHEN event_id < $1 THEN occurred_at + interval '1 hour' END`,
    [events[10]],
  );
  road.source({ unconfirmedAfterMs: 300, sweepIntervalMs: 50 });
  const others = await road.publish(3);
  // The sweep has looked.
  await waitFor(async () => (await road.outboxSize()) === 20, { describe: "the others" });
  await repairOutbox(road.sql, now());
  expect(await road.faults([...events, ...others])).toEqual([]);
});
