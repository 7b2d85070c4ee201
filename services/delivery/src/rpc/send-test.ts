import { create } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { externalEventBody } from "@canvass/events";
import { newId } from "@canvass/values";
import { findReplay } from "@canvass/postgres/rpc";
import { SendTestResponseSchema, type SendTestRequest, type SendTestResponse } from "@canvass/proto/delivery";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import { signedContent } from "@canvass/webhook-sender";
import type { DeliveryContext } from "../context.ts";
import type { Webhook } from "../domain/webhook.ts";
import type { EndpointRef } from "../storage/claimed-delivery.ts";
import { fetchSubscription } from "./fetch-subscription.ts";
import { requireWebhook, webhooksLocked } from "./require-webhook.ts";

/** Milliseconds before the request's deadline that are kept for the response. */
const REST_MS = 500;
/** Limits concurrent tests, because each may wait ten seconds for a receiver. */
export const testLimits = { perKey: 3, total: 200, counted: "tests" } as const;

/** Sends a test in any state of the webhook and records nothing (contract 8.14). Waits at most ten seconds. */
export async function sendTest(
  context: DeliveryContext,
  { subscriptionId }: SendTestRequest,
  call: Call,
): Promise<SendTestResponse> {
  const started = performance.now();
  const replay = await findReplay(context.database.sql, call, SendTestResponseSchema, context.now());
  if (replay) return replay;
  const { workspaceId } = call.caller;
  requireWebhook(call.caller, await fetchSubscription(context, subscriptionId, call));
  const sent = await sendWithPermit(context, { workspaceId, subscriptionId }, call, started);
  // The receiver has the test already. A concurrent request with the same key returns the result that was stored first.
  return idempotentWrite(context, call, SendTestResponseSchema, async () => sent);
}

async function sendWithPermit(
  context: DeliveryContext,
  ref: EndpointRef,
  { timeoutMs = Number.POSITIVE_INFINITY, traceparent }: Call,
  started: number,
): Promise<SendTestResponse> {
  using _permit = context.testPermits.acquire(ref.workspaceId);
  const endpoint = await findEndpoint(context, ref);
  const budgetMs = timeoutMs - (performance.now() - started) - REST_MS;
  if (budgetMs <= 0) throw new AppError("deadline_exceeded");
  return await send(context, endpoint, ref, { budgetMs, traceparent });
}

async function findEndpoint({ webhooks }: DeliveryContext, ref: EndpointRef): Promise<Webhook> {
  const [webhook] = await webhooks.find([ref], "asked");
  if (!webhook) throw new AppError("service_unavailable");
  // The webhook was deleted or changed plan after the first lookup.
  if (webhook.status === "deleted") throw new AppError("subscription_not_found");
  if (!webhook.hasWebhooks) throw webhooksLocked();
  if (webhook.secrets.length === 0) throw new Error("the webhook has no secret that can be opened");
  return webhook;
}

async function send(
  { now, sender }: DeliveryContext,
  { url, secrets }: Webhook,
  { workspaceId, subscriptionId }: EndpointRef,
  { budgetMs, traceparent }: { budgetMs: number; traceparent: string | undefined },
): Promise<SendTestResponse> {
  const at = now();
  const data = { workspace_id: workspaceId, subscription_id: subscriptionId, message: "This is a test." };
  const event = { type: "webhook.test", timestamp: at.toISOString(), dataJson: JSON.stringify(data) };
  const body = externalEventBody(event);
  const webhookId = newId(at);
  const timestamp = Math.floor(at.getTime() / 1000);
  const { outcome, reason, statusCode, durationMs, responseBody } = await sender.send({
    url,
    secrets,
    webhookId,
    timestamp,
    body,
    budgetMs,
    traceparent,
    newConnection: true,
  });
  return create(SendTestResponseSchema, {
    outcome,
    reason: reason ?? "",
    statusCode: statusCode ?? 0,
    durationMs,
    responseBody,
    webhookId,
    webhookTimestamp: BigInt(timestamp),
    signedContent: signedContent(webhookId, timestamp, body),
  });
}
