import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import type { ExplainEventRequest } from "@canvass/proto/webhook";
import { expect, test } from "vitest";
import { startEdge } from "./start-edge.ts";

const eventId = "event00000000000";
const time = "2026-01-01T00:00:00.000Z";
const at = (seconds: number) => timestampFromDate(new Date(Date.parse(time) + seconds * 1000));
const attempt = {
  number: 1,
  attemptedAt: at(1),
  durationMs: 5,
  outcome: "http_error",
  statusCode: 500,
  responseBody: "",
};
const listener = { mode: "push", status: "active", createdAt: at(-60) };

test("an event is explained by who listened and what became of each delivery", async () => {
  const asked: ExplainEventRequest[] = [];
  await using edge = await startEdge({
    delivery: {
      listEventDeliveries: async () => ({
        hasMore: true,
        deliveries: [
          {
            subscriptionId: "a",
            eventTimestamp: time,
            delivery: {
              deliveryId: "d",
              eventId,
              eventType: "response.completed",
              status: "pending",
              createdAt: at(0),
              nextAttemptAt: at(31),
              attempts: [attempt],
            },
          },
        ],
      }),
    },
    feed: {
      explainEvent: async (request) => {
        asked.push(request);
        return {
          event: { eventId, type: "response.completed", timestamp: time },
          happenedAt: at(0),
          planHadWebhooks: true,
          listeners: [
            { subscriptionId: "a", name: "A", ...listener },
            {
              subscriptionId: "b",
              name: "B",
              ...listener,
              absence: "not_active",
              absentFrom: at(-10),
              absentUntil: at(10),
            },
            { subscriptionId: "c", name: "C", ...listener, mode: "pull" },
            { subscriptionId: "d", status: "deleted" },
          ],
        };
      },
    },
  });
  const { status, body } = await edge.call(`/events/${eventId}/explain`);
  expect(status).toBe(200);
  expect(body.data).toEqual({
    id: eventId,
    type: "response.completed",
    happened_at: time,
    is_approximate: false,
    in_feed: true,
    plan_had_webhooks: true,
    has_more_deliveries: true,
    subscriptions: [
      {
        id: "a",
        name: "A",
        mode: "push",
        status: "active",
        listening: true,
        explanation:
          "Due for attempt 2 of 9 since 2026-01-01T00:00:31.000Z: it is under way, or its turn comes next. Attempt 1 at 2026-01-01T00:00:01.000Z ended as http_error (status 500).",
        deliveries: [
          expect.objectContaining({
            id: "d",
            status: "pending",
            explanation: expect.stringMatching(/^Due for attempt 2/),
          }),
        ],
      },
      {
        id: "b",
        name: "B",
        mode: "push",
        status: "active",
        listening: false,
        explanation:
          "It was paused or disabled from 2025-12-31T23:59:50.000Z until 2026-01-01T00:00:10.000Z, so the event was not queued.",
        deliveries: [],
      },
      expect.objectContaining({
        id: "c",
        listening: true,
        explanation: "It listened: the event is in the feed, read it with GET /events.",
      }),
      {
        id: "d",
        name: null,
        mode: null,
        status: "deleted",
        listening: true,
        explanation: "It listened, and was deleted since.",
        deliveries: [],
      },
    ],
  });
  expect(asked).toMatchObject([
    { eventId, delivered: { type: "response.completed", timestamp: time, queuedAt: at(0) } },
  ]);
});

test("a delivery of a deleted, otherwise unknown webhook is still reported", async () => {
  const delivery = {
    deliveryId: "d",
    eventId,
    eventType: "response.completed",
    status: "delivered",
    createdAt: at(0),
    attempts: [{ ...attempt, outcome: "success", statusCode: 204 }],
  };
  await using edge = await startEdge({
    delivery: {
      listEventDeliveries: async () => ({ deliveries: [{ subscriptionId: "b", eventTimestamp: time, delivery }] }),
    },
    feed: {
      explainEvent: async () => ({
        happenedAt: at(0),
        planHadWebhooks: true,
        listeners: [
          { subscriptionId: "a", name: "A", ...listener },
          { subscriptionId: "c", name: "C", ...listener },
        ],
      }),
    },
  });
  const { body } = await edge.call(`/events/${eventId}/explain`);
  expect(body.data.subscriptions).toMatchObject([
    { id: "a", deliveries: [] },
    {
      id: "b",
      name: null,
      mode: null,
      status: "deleted",
      listening: true,
      explanation: "Delivered with attempt 1 at 2026-01-01T00:00:01.000Z (status 204).",
      deliveries: [{ id: "d" }],
    },
    { id: "c", deliveries: [] },
  ]);
});

test("an unknown event is 404, for any id", async () => {
  await using edge = await startEdge({
    delivery: { listEventDeliveries: async () => ({}) },
    feed: {
      explainEvent: async ({ delivered }) => {
        expect(delivered).toBeUndefined();
        throw new AppError("event_not_found");
      },
    },
  });
  for (const id of [eventId, "short", "%00"]) {
    const answer = await edge.call(`/events/${id}/explain`);
    expect([answer.status, answer.body.error.code]).toEqual([404, "event_not_found"]);
  }
});
