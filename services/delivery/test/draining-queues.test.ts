import { externalEvent, externalEventBody } from "@canvass/events";
import { newId } from "@canvass/values";
import { sqlFromPg } from "@canvass/postgres";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertDeliveries } from "../src/storage/insert-deliveries.ts";
import { completion, startDeliverySystem, type DeliverySystem } from "./delivery-system.ts";
import { SHOWN } from "./delivery-tables.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const QUEUED = 2000;
const FIRST = 300;
/** Attempts at one webhook. */
const MOST_AT_ONCE = 50;

let system: DeliverySystem;
let answered = 0;
let answer = 200;
/** How many of the next requests fail. */
let failures = 0;
/** Called at request number FIRST. */
let atFirst: () => unknown = () => undefined;

beforeAll(async () => {
  system = await startDeliverySystem({ environment: { CANVASS_WEBHOOK_ENDPOINT_CONCURRENCY: String(MOST_AT_ONCE) } });
});
afterAll(() => system[Symbol.asyncDispose]());
beforeEach(() => {
  answered = 0;
  answer = 200;
  failures = 0;
  atFirst = () => undefined;
  system.receiver.requests.length = 0;
  system.receiver.answer(async () => {
    answered += 1;
    if (answered === FIRST) await atFirst();
    if (failures === 0) return answer;
    failures -= 1;
    return 500;
  });
});

async function queue({ workspaceId, subscriptionId }: FakeEndpoint, length: number): Promise<void> {
  const body = externalEventBody(externalEvent(completion(workspaceId, system.clock.now()))!);
  const deliveries = Array.from({ length }, () => {
    const id = newId(system.clock.now());
    const about = { eventId: id, eventType: "response.completed", body, traceparent: "" };
    return { workspaceId, subscriptionId, deliveryId: id, ...about };
  });
  await insertDeliveries(sqlFromPg(system.pool), deliveries, system.clock.now());
}

/** Adds a paused webhook with a queue, and resumes it. */
async function resume(): Promise<FakeEndpoint> {
  const endpoint = system.addEndpoint({ status: "paused" });
  await queue(endpoint, QUEUED);
  await system.change(endpoint, { status: "active" });
  return endpoint;
}

const count = async (what: string) => (await system.sql(`SELECT count(*)::int4 AS n FROM ${what}`))[0]!["n"] as number;
const dueOf = ({ subscriptionId }: FakeEndpoint, more = "") =>
  count(`due_deliveries WHERE subscription_id = '${subscriptionId}' ${more}`);
const shownOf = ({ subscriptionId }: FakeEndpoint, status: string) =>
  count(`${SHOWN} WHERE subscription_id = '${subscriptionId}' AND status = '${status}'`);
const untilNothingIsDue = (endpoint: FakeEndpoint) =>
  waitFor(async () => (await dueOf(endpoint)) === 0, { describe: "an empty queue" });
const untilNothingIsLeased = (endpoint: FakeEndpoint) =>
  waitFor(async () => (await dueOf(endpoint, "AND lease_id IS NOT NULL")) === 0, {
    describe: "a queue without leases",
  });

function expectEachOnce(endpoint: FakeEndpoint, arrivals: number): void {
  const ids = system.receivedBy(endpoint).map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(arrivals);
  expect(ids).toHaveLength(arrivals);
}

test("a webhook that is paused while it drains keeps the rest, and each arrives once when it is resumed", async () => {
  atFirst = () => system.change(endpoint, { status: "paused" });
  const endpoint = await resume();
  await waitFor(() => answered >= FIRST, { describe: "the first deliveries" });
  await untilNothingIsLeased(endpoint);
  const left = await dueOf(endpoint, "AND begun_at IS NULL AND attempts = 0");
  expect(left).toBeGreaterThan(0);
  expect(left + (await shownOf(endpoint, "delivered"))).toBe(QUEUED);
  await system.change(endpoint, { status: "active" });
  await untilNothingIsDue(endpoint);
  expectEachOnce(endpoint, QUEUED);
});

test("a webhook that is deleted while it drains is sent nothing more, and the rest is cancelled", async () => {
  atFirst = () => system.remove(endpoint);
  const endpoint = await resume();
  await untilNothingIsDue(endpoint);
  const delivered = await shownOf(endpoint, "delivered");
  expect(delivered).toBeLessThan(QUEUED);
  expect(delivered + (await shownOf(endpoint, "cancelled"))).toBe(QUEUED);
  expectEachOnce(endpoint, delivered);
});

test("a 410 while a webhook drains ends its queue: once it is recorded, only what was under way is still sent", async () => {
  atFirst = () => (answer = 410);
  const endpoint = await resume();
  await waitFor(async () => (await shownOf(endpoint, "cancelled")) > 0, { describe: "410" });
  const sent = system.receivedBy(endpoint).length;
  await untilNothingIsLeased(endpoint);
  // Those that were under way.
  expect(system.receivedBy(endpoint).length - sent).toBeLessThanOrEqual(MOST_AT_ONCE);
  expectEachOnce(endpoint, system.receivedBy(endpoint).length);
});

test("two replicas drain a queue together, each delivery once, and what fails meanwhile is tried again", async () => {
  await using _other = await system.startAnother();
  atFirst = () => (failures = 50);
  const endpoint = await resume();
  await waitFor(async () => (await dueOf(endpoint, "AND attempts = 0")) === 0, {
    describe: "a first attempt of each",
  });
  expect(await dueOf(endpoint)).toBe(50);
  expectEachOnce(endpoint, QUEUED);
  system.clock.advance(35_000);
  await untilNothingIsDue(endpoint);
  expect(await shownOf(endpoint, "delivered")).toBe(QUEUED);
  expect(system.receivedBy(endpoint)).toHaveLength(QUEUED + 50);
});

test("a process that is stopped while it drains leaves nothing leased, and another sends the rest, each once", async () => {
  const begun = Promise.withResolvers<void>();
  atFirst = begun.resolve;
  const endpoint = await resume();
  await begun.promise;
  await system.stop();
  expect(await dueOf(endpoint, "AND lease_id IS NOT NULL")).toBe(0);
  expect(await dueOf(endpoint)).toBeGreaterThan(0);
  await using _successor = await system.startAnother();
  await untilNothingIsDue(endpoint);
  expectEachOnce(endpoint, QUEUED);
});

test("webhooks that drain leave their turn to others of their workspace, though they hold all slots it may have", async () => {
  await system[Symbol.asyncDispose]();
  system = await startDeliverySystem({ environment: { CANVASS_WEBHOOK_CONCURRENCY: "20" } });
  system.receiver.answer(() => ({ status: 200, delayMs: 5 }));
  const draining = system.addEndpoint({ status: "paused" });
  const { workspaceId } = draining;
  const alsoDraining = system.addEndpoint({ status: "paused", workspaceId });
  const other = system.addEndpoint({ workspaceId });
  for (const endpoint of [draining, alsoDraining]) await queue(endpoint, 6000);
  for (const endpoint of [draining, alsoDraining]) await system.change(endpoint, { status: "active" });
  const sent = () => system.receivedBy(draining).length + system.receivedBy(alsoDraining).length;
  await waitFor(() => sent() > 500, { describe: "two queues that drain" });
  await queue(other, 1);
  await waitFor(() => system.receivedBy(other).length === 1, { describe: "the other webhook's" });
  expect(sent()).toBeLessThan(10_000);
});
