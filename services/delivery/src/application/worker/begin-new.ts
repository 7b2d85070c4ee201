import { newId } from "@canvass/values";
import type { DeliveryContext } from "../../context.ts";
import { takesDeliveries, type Webhook } from "../../domain/webhook.ts";
import type { ClaimedDelivery } from "../../storage/claimed-delivery.ts";
import { insertDeliveries, untilDurable, type NewDelivery } from "../../storage/insert-deliveries.ts";
import type { EndpointQueues } from "./endpoint-queues.ts";
import { LEASE_MS } from "./attempts.ts";
import { release } from "./release.ts";

const unsent = { isRedelivery: false, attempts: 0, interruptedAt: undefined, storedAs: "delivered" } as const;

export interface DeliveryTo {
  delivery: NewDelivery;
  webhook: Webhook;
}

export type QueueNew = (deliveries: readonly DeliveryTo[]) => Promise<void>;

/** Queues new deliveries. The statement that inserts those with a free slot also begins them; they are sent right after. */
export function createQueueNew(context: DeliveryContext, queues: EndpointQueues): QueueNew {
  const { sql } = context.database.hot;

  return async (deliveries) => {
    const at = context.now();
    const takesSlot = ({ webhook }: DeliveryTo) => takesDeliveries(webhook) && queues.takeSlot(webhook);
    const grouped = Map.groupBy(deliveries, takesSlot);
    const [now, later] = [grouped.get(true) ?? [], grouped.get(false) ?? []];
    await Promise.all([begin(now, at), queue(later, at)]);
    // The attempts have begun. If a crash loses their deliveries, the events are still unacknowledged and come again.
    if (now.length > 0) await untilDurable(sql);
  };

  async function queue(deliveries: readonly DeliveryTo[], at: Date): Promise<void> {
    if (deliveries.length === 0) return;
    const queued = deliveries.map(({ delivery }) => delivery);
    await insertDeliveries(sql, queued, at);
    queues.queued(queued);
  }

  /** A known delivery, or one whose webhook has changed, releases its slot. */
  async function begin(deliveries: readonly DeliveryTo[], at: Date): Promise<void> {
    if (deliveries.length === 0) return;
    const lease = { leaseId: newId(at), leaseUntil: new Date(at.getTime() + LEASE_MS) };
    const claimed = deliveries.map(({ delivery }): ClaimedDelivery & NewDelivery => {
      return { ...delivery, ...lease, createdAt: at, ...unsent };
    });
    let begun: ReadonlyMap<string, string> = new Map();
    try {
      const revisions = deliveries.map(({ webhook }) => webhook.revision);
      begun = await insertDeliveries(sql, claimed, at, { ...lease, revisions });
    } catch (error) {
      // The commit may have succeeded although its response was lost.
      await release(context, claimed, 0);
      throw error;
    } finally {
      for (const [index, delivery] of claimed.entries()) {
        delivery.duePlace = begun.get(delivery.deliveryId);
        queues.useSlot(delivery, delivery.duePlace === undefined ? undefined : deliveries[index]!.webhook);
      }
    }
  }
}
