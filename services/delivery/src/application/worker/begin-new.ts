import { newId } from "@canvass/values";
import type { DeliveryContext } from "../../context.ts";
import type { ClaimedDelivery } from "../../storage/claimed-delivery.ts";
import { insertDeliveries, untilDurable, type NewDelivery } from "../../storage/insert-deliveries.ts";
import { endpointKey } from "./endpoint-lane.ts";
import type { EndpointLanes, Place } from "./endpoint-lanes.ts";
import type { EndpointAnswer } from "./endpoint-look-up.ts";
import { LEASE_MS } from "./make-attempt.ts";
import { release } from "./release.ts";

const unsent = { isRedelivery: false, attempts: 0, interruptedAt: undefined, storedAs: "delivered" } as const;

export type QueueNew = (
  deliveries: readonly NewDelivery[],
  answers: ReadonlyMap<string, EndpointAnswer>,
) => Promise<void>;

/** The returned function queues deliveries, leases those with room in their lane, and marks those sent at once. */
export function createQueueNew(context: DeliveryContext, lanes: EndpointLanes, onMoreDue: () => void): QueueNew {
  const { sql } = context.database.hot;

  return async (deliveries, answers) => {
    const at = context.now();
    const placeOf = (delivery: NewDelivery) => {
      const answer = answers.get(endpointKey(delivery));
      return answer ? lanes.reserve(delivery, answer) : "none";
    };
    const { now = [], next = [], none = [] } = Object.groupBy(deliveries, placeOf);
    await Promise.all([lease(now, "now", at), lease(next, "next", at), queue(none, at)]);
    // If a crash loses the deliveries, their events are not acknowledged yet and come again.
    if (now.length + next.length > 0) await untilDurable(sql);
  };

  async function queue(deliveries: readonly NewDelivery[], at: Date): Promise<void> {
    if (deliveries.length === 0) return;
    await insertDeliveries(sql, deliveries, at);
    onMoreDue();
  }

  /** Releases the slots of known deliveries and of webhooks with a disable request. */
  async function lease(deliveries: readonly NewDelivery[], place: Place, at: Date): Promise<void> {
    if (deliveries.length === 0) return;
    const terms = { leaseId: newId(at), leaseUntil: new Date(at.getTime() + LEASE_MS) };
    const claimed = deliveries.map((delivery): ClaimedDelivery => {
      const { workspaceId, subscriptionId, deliveryId, eventId, body, traceparent } = delivery;
      const known = { workspaceId, subscriptionId, deliveryId, eventId, body, traceparent };
      return { ...known, ...terms, createdAt: at, ...unsent };
    });
    let leased: ReadonlyMap<string, string> = new Map();
    try {
      leased = await insertDeliveries(sql, deliveries, at, { ...terms, begins: place === "now" });
    } catch (error) {
      // The commit may have succeeded although its response was lost.
      await release(context, claimed, 0);
      throw error;
    } finally {
      for (const delivery of claimed) {
        delivery.duePlace = leased.get(delivery.deliveryId);
        lanes.use(delivery, place, delivery.duePlace !== undefined);
      }
    }
  }
}
