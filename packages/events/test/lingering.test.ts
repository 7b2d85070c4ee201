import { create, toBinary } from "@bufbuild/protobuf";
import { EventBatchSchema, type Event } from "@canvass/proto/events";
import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { newEvent } from "../src/append-events.ts";
import { type Bus, eventSubject } from "../src/bus.ts";
import { durableName } from "../src/durable-consumers.ts";
import { startPull } from "../src/pull.ts";
import { EVENT_STREAM } from "../src/streams.ts";
import { openEventPath, silent } from "./event-path.ts";

const consumer = "feed";
const type = "response.completed";
const body = { case: "responseCompleted", value: {} } as const;
const completion = newEvent({ workspaceId: "w", occurredAt: new Date(), body });

test("a consumer that lingers handles together what came meanwhile, and handles nothing more when it stops", async () => {
  await using eventPath = await openEventPath();
  const bus = eventPath.bus();
  const lingered = Promise.withResolvers<void>();
  const batches: number[] = [];
  const receive = async (events: readonly Event[]) => {
    batches.push(events.length);
    return new Set(events.map(({ eventId }) => eventId));
  };
  const receiver = { consumer, receive };
  const linger = (stopping: AbortSignal) =>
    Promise.race([
      lingered.promise,
      new Promise<void>((resolve) => stopping.addEventListener("abort", () => resolve())),
    ]);
  const pull = startPull({ bus, receiver, type, log: silent, linger });
  const connection = (await bus.whenConnected(new AbortController().signal))!;
  const jsm = await connection.jetstreamManager({ checkAPI: false });
  const pending = async () => {
    const info = await jsm.consumers.info(EVENT_STREAM, durableName(consumer, type)).catch(() => undefined);
    return info?.num_ack_pending;
  };
  await waitFor(async () => (await pending()) === 0, { describe: "the consumer" });
  const message = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [completion] }));
  const publish = () => connection.jetstream().publish(eventSubject(type), message);
  for (const count of [1, 2, 3]) {
    await publish();
    await waitFor(async () => (await pending()) === count, { describe: `${count} pulled` });
  }
  expect(batches).toEqual([]);
  lingered.resolve();
  await waitFor(async () => (await pending()) === 0, { describe: "all handled" });
  expect(batches).toEqual([3]);
  await pull[Symbol.asyncDispose]();

  const waiting = startPull({
    bus,
    receiver,
    type,
    log: silent,
    linger: (stopping) => new Promise((resolve) => stopping.addEventListener("abort", () => resolve())),
  });
  await publish();
  await waitFor(async () => (await pending()) === 1, { describe: "one pulled" });
  await waiting[Symbol.asyncDispose]();
  expect(batches).toEqual([3]);
});

test("a pull that is stopped while it begins ends before it expires after 30 s", { timeout: 25_000 }, async () => {
  await using eventPath = await openEventPath();
  const bus = eventPath.bus();
  const begun = Promise.withResolvers<void>();
  // A pull asks for reconnections just after it was sent.
  const onConnected: Bus["onConnected"] = (connected) => {
    begun.resolve(pull[Symbol.asyncDispose]());
    return bus.onConnected(connected);
  };
  const receiver = { consumer, receive: async () => new Set<string>() };
  const options = { receiver, type, log: silent } as const;
  const pull = startPull({ bus: { ...bus, onConnected }, ...options });
  await expect(begun.promise).resolves.toBeUndefined();
});
