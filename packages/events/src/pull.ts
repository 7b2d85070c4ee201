import { fromBinary } from "@bufbuild/protobuf";
import { isLowPriority, type EventType } from "@canvass/processes/event-catalogue";
import { EventBatchSchema, type Event } from "@canvass/proto/events";
import type { Logger } from "@canvass/telemetry";
import type { Consumer, ConsumerMessages, JsMsg, NatsConnection, Subscription } from "nats";
import { pause, type Bus } from "./bus.ts";
import { sendConfirmations } from "./confirmations.ts";
import { durableName, ensureConsumer } from "./durable-consumers.ts";
import type { EventReceiver } from "./event-receiver.ts";
import { backOffMs } from "@canvass/jobs";
import { createHeldMessages, type Received } from "./held-messages.ts";
import { EVENT_STREAM } from "./streams.ts";

export interface PullOptions {
  bus: Bus;
  receiver: Pick<EventReceiver, "consumer" | "receive">;
  type: EventType;
  log: Logger;
  /** Awaited before taking a batch that is not full, so that more messages can join it. By default for low priority. */
  linger?: (stopping: AbortSignal) => Promise<void>;
}

// Each message carries up to a hundred events, which must be stored before the server redelivers them.
const PULL_MESSAGES = 16;
const PULL_EXPIRES_MS = 30_000;
/** Roughly the processing time of a single webhook. */
const LINGER_MS = 20;
/** Pause before a message comes again. It doubles each time. */
const RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
/**
 * How often a message with events that a store left out is delivered; later the sweep hands these over. Until then it
 * counts toward the limit of unacknowledged messages, which holds up the events of others.
 */
const DELIVERIES_FOR_LEFT_OUT = 3;

/** Pulls events of a type, has them stored, and acknowledges and confirms them. After a failure it backs off. */
export function startPull(options: PullOptions): AsyncDisposable {
  const { bus, receiver, type, log } = options;
  const { consumer } = receiver;
  const lingerIfLow = (stopping: AbortSignal) =>
    isLowPriority(consumer, type) ? pause(LINGER_MS, stopping) : undefined;
  const { linger = lingerIfLow } = options;
  const stopping = new AbortController();
  const held = createHeldMessages();
  let changed = Promise.withResolvers<void>();

  const isStopping = () => stopping.signal.aborted;

  function change(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  async function pull(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      const connection = await bus.whenConnected(stopping.signal);
      if (!connection) return;
      try {
        const source = await openConsumer(connection, options);
        // After an empty pull, checks the durable consumer again.
        let brought: number;
        do {
          brought = await pullOnce(source);
          failures = 0;
        } while (brought > 0);
      } catch (error) {
        failures += 1;
        if (failures === 3) log.warn({ err: error, consumer, type }, "events cannot be pulled; trying again");
        await pause(backOffMs(failures, 5000), stopping.signal);
      }
    }
  }

  async function pullOnce(source: Consumer): Promise<number> {
    while (!held.hasCapacity && !stopping.signal.aborted) await changed.promise;
    if (stopping.signal.aborted) return 0;
    const messages = await source.fetch({ max_messages: PULL_MESSAGES, expires: PULL_EXPIRES_MS });
    const stop = () => void takeTheRest(messages);
    // A restarted server does not know earlier pulls, so end this one.
    using _reconnected = bus.onConnected(() => void messages.close());
    stopping.signal.addEventListener("abort", stop);
    if (isStopping()) stop();
    let count = 0;
    try {
      for await (const message of messages) {
        count += 1;
        held.add({ message, events: readEvents(message, log) });
        change();
      }
    } finally {
      stopping.signal.removeEventListener("abort", stop);
    }
    return count;
  }

  async function handleAll(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      if (held.size === 0) {
        await changed.promise;
        continue;
      }
      if (!held.fillsBatch) await linger(stopping.signal);
      if (stopping.signal.aborted) return;
      const batch = held.take();
      change();
      try {
        await handleBatch(batch, options);
        held.renew();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) log.warn({ err: error, consumer, type }, "events cannot be stored for now; trying again");
        await pause(backOffMs(failures, 5000), stopping.signal);
      }
    }
  }

  async function run(): Promise<void> {
    await Promise.all([pull(), handleAll()]);
    held.giveBack();
  }

  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      change();
      await running;
    },
  };
}

/** Ends a pull gracefully, which nats has no method for: `close` would drop messages until their ack timeout. */
async function takeTheRest(messages: ConsumerMessages): Promise<void> {
  const { sub } = messages as unknown as { sub: Subscription };
  await sub.drain().catch(() => messages.close());
}

async function openConsumer(connection: NatsConnection, options: PullOptions): Promise<Consumer> {
  const { bus, receiver, type, log } = options;
  const { consumer } = receiver;
  const jsm = await connection.jetstreamManager({ checkAPI: false });
  await ensureConsumer(jsm, { consumer, type, stream: bus.stream, log });
  return connection.jetstream().consumers.get(EVENT_STREAM, durableName(consumer, type));
}

async function handleBatch(
  batch: readonly Received[],
  { bus, receiver }: Pick<PullOptions, "bus" | "receiver">,
): Promise<void> {
  const events = batch.flatMap((received) => received.events);
  try {
    const storedIds = await receiver.receive(events);
    for (const received of batch) {
      const { message } = received;
      const isStored = received.events.every(({ eventId }) => storedIds.has(eventId));
      if (isStored || message.info.deliveryCount >= DELIVERIES_FOR_LEFT_OUT) message.ack();
      else redeliver(message);
    }
    const stored = events.filter(({ eventId }) => storedIds.has(eventId));
    if (stored.length > 0) sendConfirmations(bus, receiver.consumer, stored);
  } catch (error) {
    for (const { message } of batch) redeliver(message);
    throw error;
  }
}

function redeliver(message: JsMsg): void {
  message.nak(Math.min(RETRY_MS * 2 ** (message.info.deliveryCount - 1), MAX_RETRY_MS));
}

/** Returns no events for undecodable bytes, so that the message is acknowledged. */
function readEvents(message: JsMsg, log: Logger): Event[] {
  try {
    return fromBinary(EventBatchSchema, message.data).events;
  } catch (error) {
    log.error({ err: error, subject: message.subject, sequence: message.seq }, "a message on the bus holds no events");
    return [];
  }
}
