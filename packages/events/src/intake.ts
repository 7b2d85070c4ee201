import { AppError } from "@canvass/errors";
import { EventIntakeService } from "@canvass/proto/events";
import type { ConnectRouter } from "@connectrpc/connect";
import type { EventReceiver } from "./event-receiver.ts";
import { isOutage } from "./outage.ts";

const MAX_EVENTS = 500;

export function registerEventIntake(router: ConnectRouter, receivers: readonly EventReceiver[]): void {
  const byConsumer = new Map(receivers.map((receiver) => [receiver.consumer, receiver]));
  router.service(EventIntakeService, {
    async handOverEvents({ consumer, events }) {
      const receiver = byConsumer.get(consumer);
      if (!receiver) throw new AppError("invalid_request", { consumer: ["No such consumer here."] });
      if (events.length > MAX_EVENTS) throw new AppError("invalid_request", { events: [`At most ${MAX_EVENTS}.`] });
      return { storedEventIds: [...(await storeEvents(receiver, events))] };
    },
  });
}

async function storeEvents(
  receiver: EventReceiver,
  events: Parameters<EventReceiver["receive"]>[0],
): Promise<Set<string>> {
  try {
    return await receiver.receive(events);
  } catch (error) {
    throw isOutage(error) ? new AppError("service_unavailable") : error;
  }
}
