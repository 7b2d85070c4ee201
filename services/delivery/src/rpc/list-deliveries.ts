import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { type Fault, validationFailed } from "@canvass/inputs";
import type { DeliverySchema, ListDeliveriesRequest, ListDeliveriesResponseSchema } from "@canvass/proto/delivery";
import { callOptions, type Call } from "@canvass/rpc";
import type { DeliveryContext } from "../context.ts";
import {
  deliveryStatuses,
  listDeliveries as readDeliveries,
  type DeliveryStatus,
  type StoredDelivery,
} from "../storage/list-deliveries.ts";
import { tellOutcomes } from "../worker/tell-outcomes.ts";

const MAX_LIMIT = 100;

/**
 * Newest first, each with its attempts (contract 8.10). Whether there is such a webhook comes before what is wrong with
 * the cursor (contract 1.7).
 */
export async function listDeliveries(
  context: DeliveryContext,
  { subscriptionId, status, limit, cursor }: ListDeliveriesRequest,
  call: Call,
): Promise<MessageInitShape<typeof ListDeliveriesResponseSchema>> {
  const { workspaceId } = call.caller;
  await requireWebhook(context, subscriptionId, call);
  const binding = ["deliveries", workspaceId, subscriptionId, status];
  const before = cursor === "" ? undefined : context.cursors.decode(binding, cursor)?.[0];
  const wanted = deliveryStatuses.find((known) => known === status);
  const faults = pageFaults(status, wanted, limit);
  if (cursor !== "" && before === undefined) faults.push({ path: "cursor", message: "is not a cursor of this list" });
  if (faults.length > 0) throw validationFailed(faults);
  const found = await readDeliveries(context.database.pool, {
    workspaceId,
    subscriptionId,
    status: wanted,
    before: before === undefined ? undefined : String(before),
    // One more than asked for tells whether there are more.
    limit: limit + 1,
  });
  // After they were read: whatever they show is told by now.
  if (found.length > 0) await tellOutcomes(context, { workspaceId, subscriptionId });
  const hasMore = found.length > limit;
  const deliveries = found.slice(0, limit);
  const last = deliveries.at(-1);
  const nextCursor = hasMore && last ? context.cursors.encode(binding, [last.deliveryId]) : "";
  return { deliveries: deliveries.map(deliveryMessage), nextCursor, hasMore };
}

function pageFaults(status: string, known: DeliveryStatus | undefined, limit: number): Fault[] {
  const faults: Fault[] = [];
  if (status !== "" && known === undefined) {
    faults.push({ path: "status", message: `must be one of ${deliveryStatuses.join(", ")}` });
  }
  if (limit < 1 || limit > MAX_LIMIT) faults.push({ path: "limit", message: `must be from 1 to ${MAX_LIMIT}` });
  return faults;
}

/** Throws `subscription_not_found`, or `subscription_is_pull` for a feed, which has no deliveries. */
async function requireWebhook(
  { subscriptions }: DeliveryContext,
  subscriptionId: string,
  { signedCaller, requestId, timeoutMs, signal }: Call,
): Promise<void> {
  const options = callOptions({ signedCaller, requestId, timeoutMs, signal });
  const { subscription } = await subscriptions.getSubscription({ subscriptionId }, options);
  if (subscription?.mode !== "push") throw new AppError("subscription_is_pull");
}

function deliveryMessage(delivery: StoredDelivery): MessageInitShape<typeof DeliverySchema> {
  const { nextAttemptAt, createdAt, attempts, ...rest } = delivery;
  return {
    ...rest,
    createdAt: timestampFromDate(createdAt),
    ...(nextAttemptAt ? { nextAttemptAt: timestampFromDate(nextAttemptAt) } : {}),
    attempts: attempts.map(({ number, attemptedAt, durationMs, outcome, statusCode, responseBody }) => ({
      number,
      attemptedAt: timestampFromDate(attemptedAt),
      durationMs,
      outcome,
      statusCode: statusCode ?? 0,
      responseBody,
    })),
  };
}
