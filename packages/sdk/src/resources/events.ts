import type { CreateSubscriptionRequest } from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import type { CallOptions } from "../options.ts";
import { followEvents, type FollowOptions } from "../streams/follow-events.ts";

/** The workspace's feed of events. */
export function eventsOf(connection: Connection) {
  const { api, sending } = connection;
  return {
    /** Lets the feed take events from now on. */
    subscribe: async (body: Omit<CreateSubscriptionRequest, "url">, options?: CallOptions) =>
      (await api.createSubscription({ body, ...sending(options) })).data.data,
    /** Yields events as they happen, for `for await`. */
    follow: (options: FollowOptions = {}) => followEvents(connection, options),
    /** Tells for each subscription what became of an event, and why. */
    explain: async (eventId: string, options?: CallOptions) =>
      (await api.explainEvent({ path: { eventId }, ...sending(options) })).data.data,
  };
}
