import { inTransaction } from "@canvass/postgres";
import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { durableName } from "../src/durable-consumers.ts";
import { appendEvents } from "../src/append-events.ts";
import { EVENT_STREAM } from "../src/streams.ts";
import { openEventPath, someEvent, type EventPath } from "./event-path.ts";

const consumer = "deliveries";

const complete = (eventPath: EventPath, workspaceId: string, count: number) => {
  const events = Array.from({ length: count }, () => ({ ...someEvent(), workspaceId }));
  return inTransaction(eventPath.pool, (sql) => appendEvents(sql, events));
};

test("an event of another workspace does not wait behind a burst", async () => {
  await using eventPath = await openEventPath();
  const bus = eventPath.bus();
  const firstIsHeld = Promise.withResolvers<void>();
  const batches: Set<string>[] = [];
  eventPath.consume({
    bus,
    consumers: [consumer],
    store: async (_consumer, events, store) => {
      batches.push(new Set(events.map(({ workspaceId }) => workspaceId)));
      await firstIsHeld.promise;
      return store(events);
    },
  });
  const source = eventPath.source({ bus });
  const connection = (await bus.whenConnected(new AbortController().signal))!;
  const jsm = await connection.jetstreamManager({ checkAPI: false });
  const pulled = async () => {
    const info = await jsm.consumers.info(EVENT_STREAM, durableName(consumer, "response.completed"));
    return info.num_ack_pending;
  };
  await complete(eventPath, "burst", 3000);
  source.nudge();
  await waitFor(async () => batches.length === 1 && (await pulled()) === 30, { describe: "the burst to be pulled" });
  await complete(eventPath, "other", 1);
  source.nudge();
  await waitFor(async () => (await pulled()) === 31, { describe: "the other's event to be pulled" });
  firstIsHeld.resolve();
  await waitFor(async () => (await pulled()) === 0, { describe: "all stored" });
  expect(batches).toHaveLength(31);
  // The server sent it when the next batch was taken, or a moment before.
  expect(batches.findIndex((workspaces) => workspaces.has("other"))).toBeLessThanOrEqual(2);
});
