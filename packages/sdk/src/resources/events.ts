import type { CreateSubscriptionRequest } from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import type { RequestOptions } from "../options.ts";
import { followEvents, type FollowOptions } from "../streams/follow-events.ts";

/** The workspace's feed of events. */
export function eventsOf(connection: Connection) {
  const { api, sending } = connection;
  return {
    /** Lets the feed take events from now on. */
    subscribe: async (body: Omit<CreateSubscriptionRequest, "url">, options?: RequestOptions) =>
      (await api.createSubscription({ body, ...sending(options) })).data.data,
    /** Yields events as they happen, for `for await`. */
    follow: (options: FollowOptions = {}) => followEvents(connection, options),
    /** Returns for each subscription whether an event was delivered, and why. */
    explain: async (eventId: string, options?: RequestOptions) =>
      (await api.explainEvent({ path: { eventId }, ...sending(options) })).data.data,
  };
}
