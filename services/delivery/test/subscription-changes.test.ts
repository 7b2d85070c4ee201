import { newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { completion, startDeliverySystem } from "./delivery-system.ts";
import { SHOWN } from "./delivery-tables.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const DAY = 86_400_000;
const WINDOW = 322_530_000;

const system = await sharedByFile(startDeliverySystem({ overrides: { random: () => 0.5 } }));
beforeEach(() => system.receiver.answer(500));

const pushChanges = (...events: Event[]) => system.handOver(events, "webhook-changes");
const publishCompletion = (endpoint: FakeEndpoint) => system.publishCompletion(endpoint);

/** Adds a delivery that failed once and waits for a retry. */
async function addWaiting(endpoint: FakeEndpoint): Promise<void> {
  await publishCompletion(endpoint);
  await system.waitForDeliveries(endpoint, "pending", 1);
}

const resumed = () => ({ status: "active", destinationRevision: 3, activeSince: system.clock.now() });

const untilHeld = ({ subscriptionId }: FakeEndpoint) =>
  waitFor(
    async () => {
      const rest = "SELECT 1 FROM endpoint_queues WHERE subscription_id = $1 AND next_due_at > $2";
      return (await system.sql(rest, [subscriptionId, system.clock.now()])).length === 1;
    },
    { describe: "the queue at rest" },
  );

/** Status and reason of each delivery, oldest first. */
const states = async ({ subscriptionId }: FakeEndpoint) =>
  (
    await system.sql<{ state: string }>(
      `SELECT status || ' ' || cancelled_because AS state FROM ${SHOWN} WHERE subscription_id = $1 ORDER BY delivery_id`,
      [subscriptionId],
    )
  ).map(({ state }) => state.trim());

const stored = async ({ subscriptionId }: FakeEndpoint) =>
  (await system.sql("SELECT revision, status, url FROM webhooks WHERE subscription_id = $1", [subscriptionId]))[0];

const isKnown = async ({ workspaceId }: FakeEndpoint) =>
  (await system.sql("SELECT is_known FROM known_workspaces WHERE workspace_id = $1", [workspaceId]))[0]?.["is_known"];

const asked = ({ workspaceId }: FakeEndpoint) => system.webhooks.asked.filter((one) => one === workspaceId).length;

const queuedFor = async ({ subscriptionId }: FakeEndpoint, ...events: Event[]) => {
  await system.handOver(events);
  const found = "SELECT event_id FROM deliveries WHERE subscription_id = $1 ORDER BY event_id";
  return (await system.sql<{ event_id: string }>(found, [subscriptionId])).map(({ event_id }) => event_id);
};

test("a resumed webhook goes on at once, without what is older than the retry window", async () => {
  const endpoint = system.addEndpoint();
  await addWaiting(endpoint);
  await system.change(endpoint, { status: "paused" });
  system.clock.advance(1);
  await system.queue(endpoint, completion(endpoint.workspaceId, system.clock.now()));
  system.clock.advance(WINDOW - 1);
  await untilHeld(endpoint);
  system.receiver.answer(200);
  await system.change(endpoint, resumed());
  await waitFor(async () => (await states(endpoint))[1] === "delivered", { describe: "the younger one" });
  // The first was created a whole window ago.
  await waitFor(async () => (await states(endpoint))[0] === "cancelled too_old", { describe: "the cancellation" });
  expect(system.receivedBy(endpoint)).toHaveLength(2);
});

test.each([
  ["a new address", { url: "https://127.0.0.1:1/moved", destinationRevision: 1 }],
  ["a pause", { status: "paused" }],
  ["a disabling", { status: "disabled" }],
])("%s of a webhook cancels nothing that is queued", async (_, fields) => {
  const endpoint = system.addEndpoint();
  await addWaiting(endpoint);
  system.clock.advance(5 * DAY);
  await system.change(endpoint, fields);
  expect(await states(endpoint)).toEqual(["pending"]);
});

test("what is older than the retry window is sent to the new address of a webhook that was not resumed", async () => {
  const endpoint = system.addEndpoint();
  await addWaiting(endpoint);
  const { url: former } = endpoint;
  system.receiver.answer(({ path }) => (former.endsWith(path) ? 500 : 200));
  system.clock.advance(5 * DAY);
  await system.change(endpoint, {
    url: `${former}-moved`,
    destinationRevision: 2,
    activeSince: system.clock.now(),
  });
  // Before the change it may have been sent to the former address once more.
  system.clock.advance(3_600_000);
  await waitFor(async () => (await states(endpoint))[0] !== "pending", { describe: "its end" });
  expect(await states(endpoint)).toEqual(["delivered"]);
});

test("of a deleted webhook only ended deliveries are left, and a late change does not bring it back", async () => {
  const [endpoint, sibling] = [system.addEndpoint(), system.addEndpoint()];
  await addWaiting(endpoint);
  await addWaiting(sibling);
  const late = system.webhooks.change(endpoint, { url: `${endpoint.url}-late` });
  const event = system.webhooks.remove(endpoint);
  expect(await pushChanges(event)).toEqual([event.eventId]);
  await waitFor(async () => (await states(endpoint))[0] === "cancelled deleted", { describe: "the cancellation" });
  for (const table of ["due_deliveries", "endpoint_queues", "endpoint_health", "disable_requests"]) {
    const left = `SELECT 1 FROM ${table} WHERE subscription_id = $1`;
    const isGone = async () => (await system.sql(left, [endpoint.subscriptionId])).length === 0;
    await waitFor(isGone, { describe: `no row in ${table}` });
  }
  expect(
    await system.sql("SELECT 1 FROM endpoint_queues WHERE subscription_id = $1", [sibling.subscriptionId]),
  ).toHaveLength(1);
  expect(await pushChanges(late, event)).toEqual([late.eventId, event.eventId]);
  expect(await stored(endpoint)).toMatchObject({ status: "deleted", url: "" });
  expect(await queuedFor(endpoint, completion(endpoint.workspaceId, system.clock.now()))).toHaveLength(1);
});

test("an attempt to a deleted webhook is left to end, and is not repeated", async () => {
  const endpoint = system.addEndpoint();
  const answered = Promise.withResolvers<number>();
  system.receiver.answer(({ path }) => (endpoint.url.endsWith(path) ? answered.promise : 200));
  await system.publishCompletion(endpoint);
  await waitFor(() => system.receivedBy(endpoint).length === 1, { describe: "the request" });
  await system.remove(endpoint);
  answered.resolve(500);
  system.clock.advance(40_000);
  await waitFor(async () => (await states(endpoint))[0] === "cancelled deleted", { describe: "the cancellation" });
  expect(system.receivedBy(endpoint)).toHaveLength(1);
});

test("a workspace is asked for once, and its changes follow", async () => {
  const endpoint = system.addEndpoint();
  system.receiver.answer(200);
  for (let i = 0; i < 3; i += 1) await publishCompletion(endpoint);
  await system.change(endpoint, { url: `${endpoint.url}-moved` });
  await publishCompletion(endpoint);
  await system.waitForDeliveries(endpoint, "delivered", 1);
  expect(await stored(endpoint)).toMatchObject({ revision: 2, url: endpoint.url });
  expect([asked(endpoint), await isKnown(endpoint)]).toEqual([1, true]);
});

test("a change of a workspace that is not known makes it known, also before its first event", async () => {
  const endpoint = system.addEndpoint();
  await system.change(endpoint, { url: `${endpoint.url}-moved` });
  expect(await stored(endpoint)).toMatchObject({ revision: 2, url: endpoint.url });
  system.webhooks.away = true;
  const event = completion(endpoint.workspaceId, system.clock.now());
  expect(await queuedFor(endpoint, event)).toEqual([event.eventId]);
  system.webhooks.away = false;
});

test("the consumer that webhook services of version 0.1.0 wait for takes changes, too", async () => {
  const endpoint = system.addEndpoint();
  await publishCompletion(endpoint);
  const event = onBus(system.webhooks.change(endpoint, { url: `${endpoint.url}-moved` }));
  expect(await system.handOver([event], "subscription-changes")).toEqual([event.eventId]);
  expect(await stored(endpoint)).toMatchObject({ revision: 2, url: endpoint.url });
});

/** The event as it comes by the bus. */
function onBus(event: Event): Event {
  const { eventId, workspaceId, body } = event;
  if (body.case !== "subscriptionChanged") throw new Error("not a change");
  const { subscriptionId, status, revision } = body.value;
  const value = { subscriptionId, status, revision };
  return newEvent({
    eventId,
    workspaceId,
    occurredAt: system.clock.now(),
    body: { case: "subscriptionChanged", value },
  });
}

test.each([
  ["comes twice", (first: Event, second: Event) => [first, second, second], 1],
  ["comes late", (first: Event, second: Event) => [second, first], 3],
  ["never comes, and the next one does", (_: Event, second: Event) => [second], 2],
  ["comes by the bus alone", (first: Event, second: Event) => [first, onBus(second)], 2],
  ["comes by the bus before", (first: Event, second: Event) => [first, onBus(second), second], 2],
  ["comes by the bus, too", (first: Event, second: Event) => [first, second, onBus(first), onBus(second)], 1],
])("the last of two changes counts when one %s", async (_, arrivals, times) => {
  const endpoint = system.addEndpoint();
  await publishCompletion(endpoint);
  const first = system.webhooks.change(endpoint, { url: `${endpoint.url}-first` });
  const second = system.webhooks.change(endpoint, { url: `${endpoint.url}-second` });
  for (const event of arrivals(first, second)) expect(await pushChanges(event)).toEqual([event.eventId]);
  expect(await stored(endpoint)).toMatchObject({ revision: 3, url: endpoint.url });
  expect(asked(endpoint)).toBe(times);
});

test("a workspace is asked for at its next use when any of its webhooks may have changed", async () => {
  const endpoint = system.addEndpoint();
  await publishCompletion(endpoint);
  const value = { subscriptionId: "" };
  const event = newEvent({
    workspaceId: endpoint.workspaceId,
    occurredAt: system.clock.now(),
    body: { case: "subscriptionChanged", value },
  });
  expect(await pushChanges(event)).toEqual([event.eventId]);
  expect([asked(endpoint), await isKnown(endpoint)]).toEqual([1, false]);
  await publishCompletion(endpoint);
  expect([asked(endpoint), await isKnown(endpoint)]).toEqual([2, true]);
});

test("an owner that was restored from a backup is believed, though its revisions begin again", async () => {
  const endpoint = system.addEndpoint();
  await publishCompletion(endpoint);
  for (const path of ["a", "b", "c"]) await system.change(endpoint, { url: `${system.receiver.url}/${path}` });
  // The backup is of before these changes; one was made since.
  const backup = { ...endpoint };
  system.webhooks.endpoints.splice(system.webhooks.endpoints.indexOf(endpoint), 1);
  system.webhooks.add(backup);
  await pushChanges(system.webhooks.change(backup, { url: `${system.receiver.url}/restored` }));
  await publishCompletion(backup);
  expect(await stored(backup)).toMatchObject({ revision: 2, url: backup.url });
});

test("events count at their own time: of before a pause yes, of the pause no, however late they come", async () => {
  const endpoint = system.addEndpoint();
  const at = () => completion(endpoint.workspaceId, system.clock.now());
  await queuedFor(endpoint);
  const before = at();
  system.clock.advance(1000);
  await system.change(endpoint, { status: "paused" });
  const during = at();
  system.clock.advance(1000);
  await system.change(endpoint, { status: "active" });
  const after = at();
  expect(await queuedFor(endpoint, after, during, before)).toEqual([before.eventId, after.eventId].toSorted());
});

test("a change that arrives while its workspace is asked for is not lost", async () => {
  const endpoint = system.addEndpoint();
  const { url } = endpoint;
  system.webhooks.onAsked = async () => {
    system.webhooks.onAsked = undefined;
    // The answer tells the state before it.
    await system.change(endpoint, { url: `${url}-moved` });
  };
  await publishCompletion(endpoint);
  expect(await stored(endpoint)).toMatchObject({ revision: 2, url: `${url}-moved` });
});

test("secrets that were sealed with a key that is gone are asked for again", async () => {
  const endpoint = system.addEndpoint();
  system.receiver.answer(200);
  await publishCompletion(endpoint);
  await system.sql("UPDATE webhooks SET sealed_secret = '\\x01aabbccdd' WHERE subscription_id = $1", [
    endpoint.subscriptionId,
  ]);
  await publishCompletion(endpoint);
  await system.waitForDeliveries(endpoint, "delivered", 1);
  expect([system.receivedBy(endpoint).length, asked(endpoint)]).toEqual([2, 2]);
});

test("emptied tables are filled at the next event", async () => {
  const endpoint = system.addEndpoint();
  await publishCompletion(endpoint);
  await system.sql("TRUNCATE known_workspaces, webhooks, listening_intervals");
  const event = completion(endpoint.workspaceId, system.clock.now());
  expect(await queuedFor(endpoint, event)).toContain(event.eventId);
});

test("a webhook whose intervals overlap gets an event once", async () => {
  const endpoint = system.addEndpoint();
  system.receiver.answer(200);
  await publishCompletion(endpoint);
  await system.sql(
    `INSERT INTO listening_intervals SELECT workspace_id, 'stray', subscription_id, event_types, started_at, ended_at
     FROM listening_intervals WHERE subscription_id = $1`,
    [endpoint.subscriptionId],
  );
  const event = completion(endpoint.workspaceId, system.clock.now());
  expect(await queuedFor(endpoint, event)).toContain(event.eventId);
});
