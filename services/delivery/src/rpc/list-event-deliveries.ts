import type { MessageInitShape } from "@bufbuild/protobuf";
import { isId } from "@canvass/values";
import type { ListEventDeliveriesRequest, ListEventDeliveriesResponseSchema } from "@canvass/proto/delivery";
import type { Call } from "@canvass/rpc";
import type { DeliveryContext } from "../context.ts";
import { findEventDeliveries } from "../storage/find-event-deliveries.ts";
import { reportOutcomes } from "../application/worker/report-outcomes.ts";
import { deliveryMessage } from "./delivery-message.ts";

/** A workspace has at most twenty webhooks, but deleted ones may also have deliveries. */
const mostWebhooks = 40;
const mostOfEach = 5;

/** For the explanation of an event (contract 8.16). */
export async function listEventDeliveries(
  context: DeliveryContext,
  { eventId }: ListEventDeliveriesRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof ListEventDeliveriesResponseSchema>> {
  if (!isId(eventId)) return { deliveries: [] };
  const page = { workspaceId, eventId, maxWebhooks: mostWebhooks, maxOfEach: mostOfEach + 1 };
  const found = await findEventDeliveries(context.database.pool, page);
  const webhooks = Map.groupBy(found, ({ subscriptionId }) => subscriptionId);
  for (const subscriptionId of webhooks.keys()) await reportOutcomes(context, { workspaceId, subscriptionId });
  const hasMore = [...webhooks.values()].some(({ length }) => length > mostOfEach);
  const shown = [...webhooks.values()].flatMap((own) => own.slice(0, mostOfEach));
  const deliveries = shown.map(({ subscriptionId, cancelledBecause, body, ...delivery }) => ({
    subscriptionId,
    cancelledBecause,
    eventTimestamp: timestampOf(body),
    delivery: deliveryMessage(delivery),
  }));
  return { deliveries, hasMore };
}

const timestampOf = (body: string): string => (JSON.parse(body) as { timestamp: string }).timestamp;
