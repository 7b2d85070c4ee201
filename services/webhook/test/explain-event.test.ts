import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newEvent } from "@canvass/events";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  completion,
  newWorkspace as workspace,
  planChange,
  refusal,
  startWebhookSystem,
  type WebhookSystem,
} from "./webhook-system.ts";

let system: WebhookSystem;
beforeAll(async () => void (system = await startWebhookSystem()));
afterAll(() => system[Symbol.asyncDispose]());

const now = () => system.clock.now();
const explain = (w: string, eventId: string, delivered = {}) =>
  system.feed.explainEvent({ eventId, ...delivered }, system.as(w));
const hook = async (w: string, n: number) =>
  (await system.createHook(w, `https://example.com/${n}`, `Hook ${n}`)).subscription!.subscriptionId;

/** Ends and begins what a webhook listens to, as pausing and resuming it does. */
const end = (subscriptionId: string) =>
  system.sql("UPDATE listening_intervals SET ended_at = $2 WHERE subscription_id = $1 AND ended_at IS NULL", [
    subscriptionId,
    now(),
  ]);
const begin = (workspaceId: string, subscriptionId: string, eventTypes = ["response.completed"]) =>
  system.sql("INSERT INTO listening_intervals VALUES ($1, $2, $3, $4, $5)", [
    workspaceId,
    `interval ${subscriptionId} ${now().getTime()}`,
    subscriptionId,
    eventTypes,
    now(),
  ]);

test("tells for each subscription whether it listened when the event happened, and why not", async () => {
  const w = workspace();
  const feed = (await system.createHook(w)).subscription!.subscriptionId;
  const [listening, paused, stillPaused, other, deleted] = [
    await hook(w, 1),
    await hook(w, 2),
    await hook(w, 3),
    await hook(w, 4),
    await hook(w, 5),
  ];
  await end(other);
  await begin(w, other, ["another.kind"]);
  const from = now();
  await end(paused);
  await end(stillPaused);
  system.clock.advance(1000);
  const event = completion(w, now());
  await system.handOver([event]);
  system.clock.advance(1000);
  const until = now();
  await begin(w, paused);
  await system.subscriptions.deleteSubscription({ subscriptionId: deleted }, system.as(w));
  const late = await hook(w, 6);
  // What happens later changes nothing.
  system.clock.advance(1000);
  await end(paused);
  const explained = await explain(w, event.eventId);
  expect(explained).toMatchObject({ approximate: false, planHadWebhooks: true, event: { eventId: event.eventId } });
  expect(timestampDate(explained.happenedAt!)).toEqual(timestampDate(event.occurredAt!));
  const listeners = new Map(explained.listeners.map((one) => [one.subscriptionId, one]));
  expect([...listeners.keys()]).toEqual([feed, listening, paused, stillPaused, other, deleted, late]);
  expect(listeners.get(feed)).toMatchObject({ absence: "", mode: "pull" });
  expect(listeners.get(listening)).toMatchObject({ absence: "", mode: "push", name: "Hook 1", status: "active" });
  expect(listeners.get(paused)).toMatchObject({
    absence: "not_active",
    absentFrom: timestampFromDate(from),
    absentUntil: timestampFromDate(until),
  });
  expect(listeners.get(stillPaused)).toMatchObject({ absence: "not_active", absentFrom: timestampFromDate(from) });
  expect(listeners.get(stillPaused)!.absentUntil).toBeUndefined();
  expect(listeners.get(other)).toMatchObject({ absence: "other_types" });
  expect(listeners.get(deleted)).toMatchObject({ absence: "", status: "deleted", name: "", mode: "" });
  expect(listeners.get(late)).toMatchObject({ absence: "not_created", createdAt: timestampFromDate(until) });
});

test("the plan at the time of the event decides, also when its change arrived late", async () => {
  const w = workspace();
  await system.createHook(w);
  const event = completion(w, now());
  await system.handOver([event]);
  await system.handOver([planChange(w, "free", now())], "plans");
  system.clock.advance(1000);
  await system.handOver([planChange(w, "enterprise", now())], "plans");
  expect(await explain(w, event.eventId)).toMatchObject({ planHadWebhooks: false, listeners: [{ absence: "plan" }] });
});

test("an event that shows only its day is evaluated at the time it was stored, of which only the day is returned", async () => {
  const w = workspace();
  await system.createHook(w);
  system.clock.advance(1000);
  const day = now().toISOString().slice(0, 10);
  const value = { surveyId: "s", responseId: "r", completedAt: day, timestamp: `${day}T00:00:00.000Z` };
  const event = newEvent({ workspaceId: w, occurredAt: now(), body: { case: "responseCompleted", value } });
  await system.handOver([event]);
  const explained = await explain(w, event.eventId);
  expect(explained).toMatchObject({ approximate: true, listeners: [{ absence: "" }] });
  expect(timestampDate(explained.happenedAt!)).toEqual(new Date(day));
});

test("an event that the feed does not have is explained as far as its deliveries tell", async () => {
  const w = workspace();
  const subscriptionId = await hook(w, 1);
  system.clock.advance(5000);
  const at = now();
  const delivered = { type: "response.completed", timestamp: at.toISOString(), queuedAt: timestampFromDate(at) };
  const explained = await explain(w, "0123456789abcdef", { delivered });
  expect(explained.event).toBeUndefined();
  expect(explained).toMatchObject({ happenedAt: timestampFromDate(at), listeners: [{ subscriptionId, absence: "" }] });
});

test("absent, foreign and malformed ids are refused alike; an event is explained on a plan without webhooks, too", async () => {
  const [w, v] = [workspace(), workspace()];
  await system.createHook(w);
  const event = completion(w, now());
  await system.handOver([event]);
  for (const eventId of [event.eventId, "0".repeat(16), "no id", "\0", ""]) {
    expect(await refusal(explain(v, eventId))).toEqual({ code: "event_not_found", details: {} });
  }
  const free = system.as(w, { plan: "free" });
  expect(await system.feed.explainEvent({ eventId: event.eventId }, free)).toMatchObject({ planHadWebhooks: true });
});
