import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import {
  deliveriesQuery,
  refuseViolations,
  shapeViolations,
  type DeliveryStatus,
  type Violation,
} from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type { ListDeliveriesRequest, ListDeliveriesResponseSchema } from "@canvass/proto/delivery";
import type { Call } from "@canvass/rpc";
import type { DeliveryContext } from "../context.ts";
import { findDeliveries } from "../storage/find-deliveries.ts";
import { reportOutcomes } from "../application/worker/report-outcomes.ts";
import { deliveryMessage } from "./delivery-message.ts";
import { fetchSubscription } from "./fetch-subscription.ts";

/** Newest first (contract 8.10). A missing webhook is reported before an invalid cursor (contract 1.7). */
export async function listDeliveries(
  context: DeliveryContext,
  request: ListDeliveriesRequest,
  call: Call,
): Promise<MessageInitShape<typeof ListDeliveriesResponseSchema>> {
  const { workspaceId } = call.caller;
  const { cursors } = context;
  const { subscriptionId, status } = request;
  const { mode } = await fetchSubscription(context, subscriptionId, call);
  if (mode !== "push") throw new AppError("subscription_is_pull");
  const page = openPage<[deliveryId: string]>(cursors, ["deliveries", workspaceId, subscriptionId, status], request);
  refuseViolations([...statusViolations(status), ...page.violations]);
  const found = await findDeliveries(context.database.pool, {
    workspaceId,
    subscriptionId,
    status: status === "" ? undefined : (status as DeliveryStatus),
    before: page.after?.[0],
    limit: page.fetch,
  });
  // After the read, so that the reports cover all attempts in the response.
  if (found.length > 0) await reportOutcomes(context, { workspaceId, subscriptionId });
  const { rows, ...end } = page.cut(found, ({ deliveryId }) => [deliveryId]);
  return { ...end, deliveries: rows.map(deliveryMessage) };
}

function statusViolations(status: string): Violation[] {
  return status === "" ? [] : shapeViolations(deliveriesQuery.properties.status, status, "status");
}
