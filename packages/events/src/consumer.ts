import { typesConsumedBy } from "@canvass/processes/event-catalogue";
import type { Logger } from "@canvass/telemetry";
import type { Bus } from "./bus.ts";
import type { EventReceiver } from "./event-receiver.ts";
import { startLoop } from "@canvass/jobs";
import { startPull } from "./pull.ts";

export interface ConsumerOptions {
  bus: Bus;
  receiver: EventReceiver;
  log: Logger;
}

/** The shortest delay of a poison event. */
const POISON_INTERVAL_MS = 60_000;

/** Consumes events in batches, confirms them to their sources, and retries poison events. Replicas share the work. */
export function startConsumer({ bus, receiver, log }: ConsumerOptions): AsyncDisposable {
  const { consumer } = receiver;
  const pulls = typesConsumedBy(consumer).map((type) => startPull({ bus, receiver, type, log }));
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
