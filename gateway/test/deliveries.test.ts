import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError, type ErrorCode } from "@canvass/errors";
import type { RedeliverDeliveryRequest, RedeliverRangeRequest, SendTestRequest } from "@canvass/proto/delivery";
import { expect, test } from "vitest";
import { startEdge } from "./start-edge.ts";

const subscriptionId = "subscription0000";
const deliveryId = "delivery00000000";
const time = "2026-01-01T00:00:00.000Z";
const at = timestampFromDate(new Date(time));
const path = `/event-subscriptions/${subscriptionId}`;

test("a test is shown with what was signed", async () => {
  const asked: SendTestRequest[] = [];
  await using edge = await startEdge({
    delivery: {
      sendTest: async (request) => {
        asked.push(request);
        const sent = { webhookId: "w", webhookTimestamp: 1767225600n, signedContent: "w.1767225600.{}" };
        return asked.length === 1
          ? { ...sent, outcome: "gone", statusCode: 410, durationMs: 12, responseBody: "no" }
          : { ...sent, outcome: "connection_error", reason: "tls_expired", durationMs: 9000 };
      },
    },
  });
  const call = () => edge.call(`${path}/test`, { method: "POST" });
  const sent = { webhook_id: "w", webhook_timestamp: 1767225600, signed_content: "w.1767225600.{}" };
  const first = await call();
  expect(first.status).toBe(200);
  expect(first.body.data).toEqual({
    outcome: "gone",
    reason: null,
    status_code: 410,
    duration_ms: 12,
    response_body: "no",
    ...sent,
  });
  expect((await call()).body.data).toEqual({
    outcome: "connection_error",
    reason: "tls_expired",
    status_code: null,
    duration_ms: 9000,
    response_body: null,
    ...sent,
  });
  expect(asked).toMatchObject([{ subscriptionId }, { subscriptionId }]);
});

test("a redelivery is shown as the new delivery", async () => {
  const asked: RedeliverDeliveryRequest[] = [];
  await using edge = await startEdge({
    delivery: {
      redeliverDelivery: async (request) => {
        asked.push(request);
        const event = { eventId: "e", eventType: "response.completed" };
        const fields = { status: "pending", createdAt: at, nextAttemptAt: at, redeliveryOf: deliveryId };
        return { delivery: { deliveryId: "new", ...event, ...fields } };
      },
    },
  });
  const answer = await edge.call(`${path}/deliveries/${deliveryId}/redeliver`, { method: "POST" });
  expect(answer.status).toBe(201);
  expect(answer.body.data).toEqual({
    id: "new",
    event_id: "e",
    event_type: "response.completed",
    status: "pending",
    created_at: time,
    next_attempt_at: time,
    redelivery_of: deliveryId,
    attempts: [],
  });
  expect(asked).toMatchObject([{ subscriptionId, deliveryId }]);
});

test("a range goes to the service as it was sent, and tells how many are queued", async () => {
  const asked: RedeliverRangeRequest[] = [];
  await using edge = await startEdge({
    delivery: {
      redeliverRange: async (request) => {
        asked.push(request);
        return { redeliveryId: "r", status: "failed", from: at, to: at, deliveries: 7 };
      },
    },
  });
  const body = JSON.stringify({ from: "2026-01-01T00:00:00+01:00" });
  const answer = await edge.call(`${path}/deliveries/redeliver`, { method: "POST", body });
  expect([answer.status, answer.body.data]).toEqual([
    202,
    { id: "r", status: "failed", from: time, to: time, deliveries: 7 },
  ]);
  expect(asked).toMatchObject([{ subscriptionId, bodyJson: body }]);
  const missing = await edge.call(`${path}/deliveries/redeliver`, { method: "POST" });
  expect([missing.status, missing.body.error.code]).toEqual([400, "invalid_request"]);
});

test.each<[ErrorCode, number]>([
  ["subscription_not_found", 403],
  ["feature_locked", 403],
  ["delivery_not_found", 404],
  ["subscription_is_pull", 409],
  ["subscription_not_active", 409],
  ["delivery_pending", 409],
  ["invalid_transition", 409],
])("the error %s of a redelivery has the status %i", async (code, status) => {
  await using edge = await startEdge({
    delivery: {
      redeliverDelivery: async () => {
        throw new AppError(code);
      },
    },
  });
  const answer = await edge.call(`${path}/deliveries/${deliveryId}/redeliver`, { method: "POST" });
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});
