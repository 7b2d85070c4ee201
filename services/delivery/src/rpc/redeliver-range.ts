import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { auditEvent } from "@canvass/events";
import { readObject } from "@canvass/inputs";
import { newId } from "@canvass/values";
import { findReplay } from "@canvass/postgres/rpc";
import {
  RedeliverRangeResponseSchema,
  type RedeliverRangeRequest,
  type RedeliverRangeResponse,
} from "@canvass/proto/delivery";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DeliveryQueueContext, DeliveryTransaction } from "../context.ts";
import {
  firstIdFrom,
  largestRange,
  mostRead,
  readRange,
  tooManyInRange,
  untilOf,
  type Range,
} from "../domain/redelivered-range.ts";
import type { EndpointRef } from "../storage/claimed-delivery.ts";
import { countOpenRanges, insertRangeRedelivery } from "../storage/range-redeliveries.ts";
import { countRedeliverable } from "../storage/redeliver.ts";
import { fetchSubscription } from "./fetch-subscription.ts";
import { requireActiveWebhook } from "./require-webhook.ts";

const mostOpen = 20;

/** Queues the range in batches in the background (contract 8.15). */
export async function redeliverRange(
  context: DeliveryQueueContext,
  { subscriptionId, bodyJson }: RedeliverRangeRequest,
  call: Call,
): Promise<RedeliverRangeResponse> {
  const { workspaceId } = call.caller;
  const replay = await findReplay(context.database.sql, call, RedeliverRangeResponseSchema, context.now());
  if (replay) return replay;
  const at = context.now();
  const range = readRange(readObject(bodyJson), at);
  const subscription = await fetchSubscription(context, subscriptionId, call);
  const response = await idempotentWrite(context, call, RedeliverRangeResponseSchema, async (transaction) => {
    requireActiveWebhook(call.caller, subscription);
    const queued = await queue(transaction, { workspaceId, subscriptionId }, range, at, call);
    const { status, from, to } = range;
    return { ...queued, status, from: timestampFromDate(from), to: timestampFromDate(to) };
  });
  context.nudgeRanges();
  return response;
}

async function queue(
  { sql, publish }: DeliveryTransaction,
  endpoint: EndpointRef,
  range: Range,
  at: Date,
  call: Call,
): Promise<{ redeliveryId: string; deliveries: number }> {
  const { workspaceId, subscriptionId } = endpoint;
  const redeliveryId = newId(at);
  const { status, from, to } = range;
  const rows = { ...endpoint, status, fromAt: from, untilAt: untilOf(range), afterId: firstIdFrom(from) };
  const { count: deliveries, read } = await countRedeliverable(sql, rows, mostRead);
  if (deliveries > largestRange || read === mostRead) throw tooManyInRange();
  if (deliveries === 0) return { redeliveryId, deliveries };
  if ((await countOpenRanges(sql, workspaceId)) >= mostOpen) {
    throw new AppError(
      "rate_limited",
      { open_ranges: mostOpen },
      "The workspace has too many ranges being redelivered.",
    );
  }
  await insertRangeRedelivery(sql, { ...rows, redeliveryId, requestedAt: at });
  const after = { redelivery_id: redeliveryId, status, from: from.toISOString(), to: to.toISOString(), deliveries };
  const action = "subscription.deliveries_redelivered";
  await publish(auditEvent(call, { source: "delivery", at, action, resourceId: subscriptionId, after }));
  return { redeliveryId, deliveries };
}
