import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { completion, refusal, startDeliverySystem, type DeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

let system: DeliverySystem;
let endpoint: FakeEndpoint;
let eventIds: string[];

beforeAll(async () => {
  system = await startDeliverySystem();
  endpoint = system.addEndpoint();
  // Every third fails.
  let arrived = 0;
  system.receiver.answer(() => ((arrived += 1) % 3 === 0 ? 500 : 200));
  eventIds = [];
  for (let i = 0; i < 12; i++) {
    system.clock.advance(1000);
    const event = completion(endpoint.workspaceId, system.clock.now());
    eventIds.push(event.eventId);
    await system.handOver([event]);
    await waitFor(async () => (await system.list(endpoint))[0]?.attempts.length === 1, { describe: "the attempt" });
  }
});
afterAll(() => system[Symbol.asyncDispose]());

const page = (fields: { subscriptionId?: string; status?: string; limit?: number; cursor?: string } = {}) =>
  system.deliveries.listDeliveries(
    { subscriptionId: endpoint.subscriptionId, status: "", limit: 5, cursor: "", ...fields },
    system.callAs(endpoint.workspaceId),
  );
const ids = (deliveries: { eventId: string }[]) => deliveries.map(({ eventId }) => eventId);

test("lists the newest first, page by page, each with its attempts", async () => {
  const pages = [await page()];
  while (pages.at(-1)!.hasMore) pages.push(await page({ cursor: pages.at(-1)!.nextCursor }));
  expect(pages.map(({ deliveries }) => deliveries.length)).toEqual([5, 5, 2]);
  const deliveries = pages.flatMap((one) => one.deliveries);
  expect(ids(deliveries)).toEqual(eventIds.toReversed());
  expect(deliveries.map(({ attempts }) => attempts.length)).toEqual(deliveries.map(() => 1));
  expect(pages.at(-1)!.nextCursor).toBe("");
  const full = await page({ limit: 12 });
  expect(full).toMatchObject({ hasMore: false });
});

test("lists by status, also across pages", async () => {
  const pending = await page({ status: "pending", limit: 3 });
  expect(pending.deliveries.every(({ status, nextAttemptAt }) => status === "pending" && nextAttemptAt)).toBe(true);
  const rest = await page({ status: "pending", limit: 3, cursor: pending.nextCursor });
  expect([...pending.deliveries, ...rest.deliveries]).toHaveLength(4);
  expect((await page({ status: "delivered", limit: 100 })).deliveries).toHaveLength(8);
  expect((await page({ status: "failed" })).deliveries).toEqual([]);
  expect((await page({ status: "cancelled" })).deliveries).toEqual([]);
});

test("an invalid status, limit and cursor are refused together", async () => {
  const wrong = await refusal(page({ status: "lost", limit: 101, cursor: "nonsense" }));
  expect(Object.keys(wrong.details)).toEqual(["status", "limit", "cursor"]);
  expect(await refusal(page({ limit: 0 }))).toMatchObject({ code: "validation_failed" });
  const { nextCursor } = await page();
  for (const cursor of [`${nextCursor}A`, nextCursor.slice(1)]) {
    expect(await refusal(page({ cursor }))).toMatchObject({ code: "validation_failed" });
  }
  // Made for another filter.
  expect(await refusal(page({ cursor: nextCursor, status: "delivered" }))).toMatchObject({ code: "validation_failed" });
});

test("a list of deliveries of an absent subscription or of a feed is refused, whatever the cursor", async () => {
  const feed = system.addEndpoint({ workspaceId: endpoint.workspaceId, mode: "pull" });
  for (const cursor of ["", "nonsense"]) {
    const absent = await refusal(page({ subscriptionId: "0".repeat(16), cursor }));
    expect(absent).toMatchObject({ code: "subscription_not_found" });
    const pulled = await refusal(page({ subscriptionId: feed.subscriptionId, cursor }));
    expect(pulled).toMatchObject({ code: "subscription_is_pull" });
  }
});

test("another workspace's deliveries are hidden", async () => {
  const { subscriptionId } = endpoint;
  const request = { subscriptionId, status: "", limit: 5, cursor: "" };
  // Even if the subscription belonged to another workspace.
  expect((await system.deliveries.listDeliveries(request, system.callAs("stranger"))).deliveries).toEqual([]);
});

test("of a completion with full anonymity ids and times tell the day only, whenever its attempts were", async () => {
  system.clock.set("2026-03-02T20:11:12Z");
  const anonymous = system.addEndpoint();
  system.receiver.answer(() => 500);
  const events = Array.from({ length: 8 }, () => {
    const event = completion(anonymous.workspaceId, system.clock.now());
    if (event.body.case !== "responseCompleted") throw new Error("no completion");
    // The respondent's time zone is ahead: it is the third there.
    Object.assign(event.body.value, { completedAt: "2026-03-03", timestamp: "2026-03-03T00:00:00.000Z" });
    return event;
  });
  for (const event of events) {
    system.clock.advance(60_000);
    await system.handOver([event]);
    await waitFor(
      async () => {
        const found = await system.list(anonymous);
        return found.some(({ eventId, attempts }) => eventId === event.eventId && attempts.length === 1);
      },
      { describe: "the attempt" },
    );
  }
  const listed = await system.list(anonymous);
  expect(ids(listed)).toHaveLength(events.length);
  // In the order of their ids, which have random times of the day.
  expect(ids(listed)).not.toEqual(events.map(({ eventId }) => eventId).toReversed());
  const day = { seconds: BigInt(Date.parse("2026-03-03T00:00:00Z") / 1000), nanos: 0 };
  for (const { deliveryId, createdAt, nextAttemptAt, attempts } of listed) {
    expect(new Date(Date.UTC(2020, 0, 1) + Number.parseInt(deliveryId.slice(0, 8), 36)).toISOString()).toMatch(
      /^2026-03-03T/,
    );
    for (const at of [createdAt, nextAttemptAt, attempts[0]!.attemptedAt]) expect(at).toMatchObject(day);
  }
});
