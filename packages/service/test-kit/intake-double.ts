import { AppError } from "@canvass/errors";
import { EventIntakeService, type Event, type HandOverEventsRequest } from "@canvass/proto/events";
import type { ConnectRouter } from "@connectrpc/connect";

/** A service that takes events by RPC and remembers them. */
export interface IntakeDouble {
  /** The events that were handed over to each consumer, in their order. */
  taken: { consumer: string; event: Event }[];
  /** While true, every call fails as if the service were unavailable. */
  isAway: boolean;
  /** How many calls came, refused ones included. */
  calls: number;
  routes: (router: ConnectRouter) => void;
}

export function createIntakeDouble(): IntakeDouble {
  const intake: IntakeDouble = {
    taken: [],
    isAway: false,
    calls: 0,
    routes: (router) => void router.service(EventIntakeService, { handOverEvents }),
  };
  const handOverEvents = ({ consumer, events }: HandOverEventsRequest) => {
    intake.calls += 1;
    if (intake.isAway) throw new AppError("service_unavailable");
    intake.taken.push(...events.map((event) => ({ consumer, event })));
    return { storedEventIds: events.map(({ eventId }) => eventId) };
  };
  return intake;
}
