import { fromBinary } from "@bufbuild/protobuf";
import { isLowPriority, typesConsumedBy } from "@canvass/processes/event-catalogue";
import { EventBatchSchema, type Event } from "@canvass/proto/events";
import type { Logger } from "@canvass/telemetry";
import type { JsMsg } from "nats";
import { pause, type Bus } from "./bus.ts";
import { sendConfirmations } from "./confirmations.ts";
import type { EventReceiver } from "./event-receiver.ts";
import { startLoop } from "@canvass/jobs";
import type { Received } from "./held-messages.ts";
import { startPull } from "./pull.ts";

export interface ConsumerOptions {
  bus: Bus;
  receiver: EventReceiver;
  log: Logger;
}

/** Roughly the processing time of a single webhook. */
const LINGER_MS = 20;
/** The shortest delay of a poison event. */
const POISON_INTERVAL_MS = 60_000;

/** Consumes events in batches, confirms them to their sources, and retries poison events. Replicas share the work. */
export function startConsumer({ bus, receiver, log }: ConsumerOptions): AsyncDisposable {
  const { consumer } = receiver;
  const handle = (batch: readonly Received[]) => handleBatch(batch, { bus, receiver });
  const read = (message: JsMsg) => readEvents(message, log);
  const pulls = typesConsumedBy(consumer).map((type) => {
    const linger = isLowPriority(consumer, type) ? (stopping: AbortSignal) => pause(LINGER_MS, stopping) : undefined;
    return startPull({ bus, consumer, type, log, read, handle, linger });
  });
  let started = false;
  const poison = startLoop({
    minGapMs: 100,
    maxBackOffMs: POISON_INTERVAL_MS,
    round: async () => {
      // A new version may be able to store the events that failed.
      if (!started) await receiver.makePoisonDue();
      started = true;
      return (await receiver.retryPoison()) > 0 ? 0 : POISON_INTERVAL_MS;
    },
    onFailure: (error, inARow) => {
      if (inARow === 1) log.warn({ err: error, consumer }, "poison events could not be tried again");
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([...pulls, poison].map((part) => part[Symbol.asyncDispose]()));
    },
  };
}

const RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

async function handleBatch(
  batch: readonly Received[],
  { bus, receiver }: Pick<ConsumerOptions, "bus" | "receiver">,
): Promise<void> {
  const events = batch.flatMap((received) => received.events);
  try {
    const storedIds = await receiver.receive(events);
    for (const received of batch) {
      if (received.events.every(({ eventId }) => storedIds.has(eventId))) received.message.ack();
      else redeliver(received.message);
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
