import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError, type ErrorCode } from "@canvass/errors";
import type { ListDeliveriesRequest } from "@canvass/proto/delivery";
import {
  SubscriptionSchema,
  type CreateSubscriptionRequest,
  type ListEventsRequest,
  type UpdateSubscriptionRequest,
} from "@canvass/proto/webhook";
import { expect, test } from "vitest";
import { startEdge } from "./start-edge.ts";

const subscriptionId = "subscription0000";
const at = timestampFromDate(new Date("2026-01-01T00:00:00Z"));
const webhook = create(SubscriptionSchema, {
  subscriptionId,
  name: "Hook",
  mode: "push",
  url: "https://example.org/hook",
  eventTypes: ["response.completed"],
  status: "active",
  createdAt: at,
  updatedAt: at,
});
const view = {
  id: subscriptionId,
  name: "Hook",
  mode: "push",
  url: "https://example.org/hook",
  event_types: ["response.completed"],
  status: "active",
  status_reason: null,
  consecutive_failures: 0,
  last_success_at: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};
const { url: _url, ...feedView } = { ...view, mode: "pull" };
const feed = create(SubscriptionSchema, { ...webhook, mode: "pull", url: "" });

test("a webhook is created with its secret, a feed without url and secret", async () => {
  const asked: CreateSubscriptionRequest[] = [];
  await using edge = await startEdge({
    subscription: {
      createSubscription: async (request) => {
        asked.push(request);
        const isFeed = !request.bodyJson.includes("url");
        return isFeed ? { subscription: feed } : { subscription: webhook, secret: "whsec_x" };
      },
    },
  });
  const post = (body: object) => edge.call("/event-subscriptions", { method: "POST", body: JSON.stringify(body) });
  const push = await post({ name: "Hook", url: webhook.url });
  expect(push.status).toBe(201);
  expect(push.body.data).toEqual({ ...view, secret: "whsec_x" });
  expect((await post({ name: "Hook", event_types: ["response.completed"] })).body.data).toEqual(feedView);
  expect(asked.map(({ bodyJson }) => bodyJson)).toEqual([
    JSON.stringify({ name: "Hook", url: webhook.url }),
    '{"name":"Hook","event_types":["response.completed"]}',
  ]);
});

test("subscriptions are listed, read and deleted", async () => {
  await using edge = await startEdge({
    subscription: {
      listSubscriptions: async () => ({ subscriptions: [webhook, feed] }),
      getSubscription: async () => ({ subscription: feed }),
      deleteSubscription: async () => ({}),
    },
  });
  expect((await edge.call("/event-subscriptions")).body.data).toEqual([view, feedView]);
  expect((await edge.call(`/event-subscriptions/${subscriptionId}`)).body.data).toEqual(feedView);
  const deleted = await edge.call(`/event-subscriptions/${subscriptionId}`, { method: "DELETE" });
  expect(deleted.body.data).toEqual({ id: subscriptionId, message: expect.any(String) });
});

test("the service validates a change exactly as it was sent", async () => {
  const asked: UpdateSubscriptionRequest[] = [];
  await using edge = await startEdge({
    subscription: {
      updateSubscription: async (request) => {
        asked.push(request);
        return { subscription: create(SubscriptionSchema, { ...webhook, status: "paused" }) };
      },
    },
  });
  const body = '{ "status": "paused", "mode": 5 }';
  const paused = await edge.call(`/event-subscriptions/${subscriptionId}`, { method: "PATCH", body });
  expect([paused.status, paused.body.data]).toEqual([200, { ...view, status: "paused" }]);
  expect(asked).toMatchObject([{ subscriptionId, bodyJson: body }]);
});

test("a replaced secret is shown with the end of the former one, and its answer is never replayed", async () => {
  let rotations = 0;
  await using edge = await startEdge({
    subscription: {
      rotateSecret: async () => ({ subscription: webhook, secret: `whsec_${(rotations += 1)}`, previousUntil: at }),
    },
  });
  const rotate = () =>
    edge.call(`/event-subscriptions/${subscriptionId}/rotate-secret`, {
      method: "POST",
      headers: { "idempotency-key": "k" },
    });
  const [first, second] = [await rotate(), await rotate()];
  expect([first.status, first.body.data]).toEqual([
    200,
    { ...view, secret: "whsec_1", previous_secret_expires_at: "2026-01-01T00:00:00.000Z" },
  ]);
  expect(second.body.data.secret).toBe("whsec_2");
  expect(second.headers.get("idempotent-replayed")).toBeNull();
});

test.each<[ErrorCode, number, "PATCH" | "POST"]>([
  ["subscription_not_found", 403, "PATCH"],
  ["feature_locked", 403, "PATCH"],
  ["duplicate_subscription", 409, "PATCH"],
  ["invalid_transition", 409, "PATCH"],
  ["subscription_not_found", 403, "POST"],
  ["feature_locked", 403, "POST"],
  ["subscription_is_pull", 409, "POST"],
])("the error %s of a change has the status %i (%s)", async (code, status, method) => {
  const refuse = async (): Promise<never> => {
    throw new AppError(code);
  };
  await using edge = await startEdge({ subscription: { updateSubscription: refuse, rotateSecret: refuse } });
  const path = `/event-subscriptions/${subscriptionId}${method === "POST" ? "/rotate-secret" : ""}`;
  const body = method === "PATCH" ? { body: JSON.stringify({ name: "x" }) } : {};
  const answer = await edge.call(path, { method, ...body });
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

test("deliveries are shown with their attempts, but only of a webhook that is there", async () => {
  const asked: ListDeliveriesRequest[] = [];
  let refused: ErrorCode | undefined;
  await using edge = await startEdge({
    delivery: {
      listDeliveries: async (request) => {
        if (refused) throw new AppError(refused);
        asked.push(request);
        const attempts = [
          { number: 1, attemptedAt: at, durationMs: 12, outcome: "http_error", statusCode: 500, responseBody: "" },
          { number: 2, attemptedAt: at, durationMs: 9, outcome: "connection_error", reason: "dns_failed" },
        ];
        const delivery = {
          deliveryId: "d",
          eventId: "e",
          eventType: "response.completed",
          status: "pending",
          createdAt: at,
        };
        return { deliveries: [{ ...delivery, nextAttemptAt: at, attempts }], nextCursor: "c", hasMore: true };
      },
    },
  });
  const path = `/event-subscriptions/${subscriptionId}/deliveries?status=pending`;
  const { body } = await edge.call(path);
  expect(body.data).toEqual([
    {
      id: "d",
      event_id: "e",
      event_type: "response.completed",
      status: "pending",
      created_at: "2026-01-01T00:00:00.000Z",
      next_attempt_at: "2026-01-01T00:00:00.000Z",
      redelivery_of: null,
      attempts: [
        {
          number: 1,
          attempted_at: "2026-01-01T00:00:00.000Z",
          duration_ms: 12,
          outcome: "http_error",
          reason: null,
          status_code: 500,
          response_body: "",
        },
        {
          number: 2,
          attempted_at: "2026-01-01T00:00:00.000Z",
          duration_ms: 9,
          outcome: "connection_error",
          reason: "dns_failed",
          status_code: null,
          response_body: null,
        },
      ],
    },
  ]);
  expect(body.pagination).toEqual({ cursor_next: "c", hasMore: true });
  for (const [code, status] of [
    ["subscription_not_found", 403],
    ["subscription_is_pull", 409],
  ] as const) {
    refused = code;
    const answer = await edge.call(path);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  }
  expect(asked).toMatchObject([{ subscriptionId, status: "pending", limit: 50 }]);
  expect((await edge.call(`${path}x`)).body.error.details).toEqual({ status: [expect.any(String)] });
});

test("the feed is shown as webhooks show events, with a cursor on each", async () => {
  const asked: ListEventsRequest[] = [];
  await using edge = await startEdge({
    feed: {
      listEvents: async (request) => {
        asked.push(request);
        const event = {
          type: "response.completed",
          timestamp: "2026-01-01T00:00:00.000Z",
          dataJson: '{"survey_id":"s"}',
        };
        return request.cursor === ""
          ? { events: [{ ...event, eventId: "e1", cursor: "c1" }], nextCursor: "c1", hasMore: true }
          : { events: [], nextCursor: request.cursor, hasMore: false };
      },
    },
  });
  const first = await edge.call("/events?limit=1&cursor=");
  expect(first.body.data).toEqual([
    {
      id: "e1",
      type: "response.completed",
      timestamp: "2026-01-01T00:00:00.000Z",
      data: { survey_id: "s" },
      cursor: "c1",
    },
  ]);
  expect(first.body.pagination).toEqual({ cursor_next: "c1", hasMore: true });
  const empty = await edge.call("/events?cursor=c1");
  expect(empty.body.pagination).toEqual({ cursor_next: "c1", hasMore: false });
  expect(asked).toMatchObject([{ limit: 1 }, { limit: 50, cursor: "c1" }]);
});
