import { newId } from "@canvass/inputs";
import type { DeliveryContext } from "../context.ts";
import type { ClaimedDelivery } from "../storage/claim-deliveries.ts";
import { insertDeliveries, type NewDelivery } from "../storage/insert-deliveries.ts";
import { endpointKey } from "./endpoint-lane.ts";
import type { EndpointLanes } from "./endpoint-lanes.ts";
import type { EndpointAnswer } from "./endpoint-look-up.ts";
import { LEASE_MS } from "./make-attempt.ts";
import { release } from "./release.ts";

/** New deliveries, and what is known of their endpoints by `endpointKey`. */
export type QueueNew = (
  deliveries: readonly NewDelivery[],
  answers: ReadonlyMap<string, EndpointAnswer>,
) => Promise<void>;

/**
 * Queues new deliveries. What finds a free place in its endpoint's lane is leased and marked by the statement that
 * queues it, and sent right after; the rest waits for a claim.
 */
export function createQueueNew(context: DeliveryContext, lanes: EndpointLanes, onMoreDue: () => void): QueueNew {
  const { sql } = context.database.hot;

  return async (deliveries, answers) => {
    const at = context.now();
    const placed: NewDelivery[] = [];
    const rest: NewDelivery[] = [];
    for (const delivery of deliveries) {
      const answer = answers.get(endpointKey(delivery));
      (answer && lanes.reserve(delivery, answer) ? placed : rest).push(delivery);
    }
    await Promise.all([begin(placed, at), queue(rest, at)]);
  };

  async function queue(deliveries: readonly NewDelivery[], at: Date): Promise<void> {
    if (deliveries.length === 0) return;
    await insertDeliveries(sql, deliveries, at);
    onMoreDue();
  }

  /** A known delivery, or one of a webhook that is to be disabled, gives its place back. */
  async function begin(deliveries: readonly NewDelivery[], at: Date): Promise<void> {
    if (deliveries.length === 0) return;
    const lease = { leaseId: newId(at), leaseUntil: new Date(at.getTime() + LEASE_MS) };
    const claimed = deliveries.map(
      ({ eventType: _, ...delivery }): ClaimedDelivery => ({
        ...delivery,
        ...lease,
        attempts: 0,
        interruptedAt: undefined,
      }),
    );
    try {
      const leased = await insertDeliveries(sql, deliveries, at, lease);
      for (const delivery of claimed) {
        if (leased.has(delivery.deliveryId)) lanes.beginReserved(delivery);
        else lanes.giveUp(delivery);
      }
    } catch (error) {
      claimed.forEach(lanes.giveUp);
      // It may have been committed although the answer was lost.
      await release(context, claimed, 0);
      throw error;
    }
  }
}
