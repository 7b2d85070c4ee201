import { newId } from "@canvass/values";
import type { DeliveryContext } from "../../context.ts";
import type { ClaimedDelivery } from "../../storage/claimed-delivery.ts";
import { insertDeliveries, untilDurable, type NewDelivery } from "../../storage/insert-deliveries.ts";
import { endpointKey } from "./endpoint-queue.ts";
import type { EndpointQueues } from "./endpoint-queues.ts";
import type { EndpointAnswer } from "./endpoint-look-up.ts";
import { LEASE_MS } from "./make-attempt.ts";
import { release } from "./release.ts";

const unsent = { isRedelivery: false, attempts: 0, interruptedAt: undefined, storedAs: "delivered" } as const;

/** `answers`: known endpoints by `endpointKey`. */
export type QueueNew = (
  deliveries: readonly NewDelivery[],
  answers: ReadonlyMap<string, EndpointAnswer>,
) => Promise<void>;

/** Queues new deliveries. The statement that inserts those with a free slot also begins them; they are sent right after. */
export function createQueueNew(context: DeliveryContext, queues: EndpointQueues): QueueNew {
  const { sql } = context.database.hot;

  return async (deliveries, answers) => {
    const at = context.now();
    const takesSlot = (delivery: NewDelivery) => {
      const answer = answers.get(endpointKey(delivery));
      return answer !== undefined && queues.takeSlot(delivery, answer);
    };
    const grouped = Map.groupBy(deliveries, takesSlot);
    const [now, later] = [grouped.get(true) ?? [], grouped.get(false) ?? []];
    await Promise.all([begin(now, at), queue(later, at)]);
    // The attempts have begun. If a crash loses their deliveries, the events are still unacknowledged and come again.
    if (now.length > 0) await untilDurable(sql);
  };

  async function queue(deliveries: readonly NewDelivery[], at: Date): Promise<void> {
    if (deliveries.length === 0) return;
    await insertDeliveries(sql, deliveries, at);
    queues.queued(deliveries);
  }

  /** A known delivery, or one whose webhook has a disable request, releases its slot. */
  async function begin(deliveries: readonly NewDelivery[], at: Date): Promise<void> {
    if (deliveries.length === 0) return;
    const lease = { leaseId: newId(at), leaseUntil: new Date(at.getTime() + LEASE_MS) };
    const claimed = deliveries.map((delivery): ClaimedDelivery => {
      const { workspaceId, subscriptionId, deliveryId, eventId, body, traceparent } = delivery;
      const known = { workspaceId, subscriptionId, deliveryId, eventId, body, traceparent };
      return { ...known, ...lease, createdAt: at, ...unsent };
    });
    let begun: ReadonlyMap<string, string> = new Map();
    try {
      begun = await insertDeliveries(sql, deliveries, at, lease);
    } catch (error) {
      // The commit may have succeeded although its response was lost.
      await release(context, claimed, 0);
      throw error;
    } finally {
      for (const delivery of claimed) {
        delivery.duePlace = begun.get(delivery.deliveryId);
        queues.useSlot(delivery, delivery.duePlace !== undefined);
      }
    }
  }
}
