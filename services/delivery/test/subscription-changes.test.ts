import { newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { completion, startDeliverySystem, type DeliverySystem } from "./delivery-system.ts";
import { SHOWN } from "./delivery-tables.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const DAY = 86_400_000;
const WINDOW = 322_530_000;
let system: DeliverySystem;

beforeAll(async () => {
  system = await startDeliverySystem({ overrides: { random: () => 0.5 } });
});
afterAll(() => system[Symbol.asyncDispose]());
beforeEach(() => system.receiver.answer(500));

interface Change {
  status: string;
  revision?: number;
  destinationRevision?: number;
}

function changed(
  { workspaceId, subscriptionId }: FakeEndpoint,
  { status, revision = 3, destinationRevision = revision }: Change,
): Event {
  const value = {
    subscriptionId,
    status,
    revision: BigInt(revision),
    destinationRevision: BigInt(destinationRevision),
  };
  return newEvent({ workspaceId, occurredAt: system.clock.now(), body: { case: "subscriptionChanged", value } });
}
const tell = (...events: Event[]) => system.handOver(events, "subscription-changes");

/** An attempted delivery of that age, which waits. */
async function waiting(endpoint: FakeEndpoint): Promise<void> {
  await system.complete(endpoint);
  await system.settled(endpoint, "pending", 1);
}

const pause = (endpoint: FakeEndpoint) => Object.assign(endpoint, { status: "paused" });
const resume = (endpoint: FakeEndpoint) =>
  Object.assign(endpoint, { status: "active", destinationRevision: 3, activeSince: system.clock.now() });

const held = ({ subscriptionId }: FakeEndpoint) =>
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

test("a resumed webhook goes on at once, without what is older than the retry window", async () => {
  const endpoint = system.addEndpoint();
  await waiting(endpoint);
  pause(endpoint);
  system.clock.advance(1);
  await system.queue(endpoint, completion(endpoint.workspaceId, system.clock.now()));
  system.clock.advance(WINDOW - 1);
  await held(endpoint);
  resume(endpoint);
  system.receiver.answer(200);
  const event = changed(endpoint, { status: "active" });
  expect(await tell(event)).toEqual([event.eventId]);
  await waitFor(async () => (await states(endpoint))[1] === "delivered", { describe: "the younger one" });
  // The first was created a whole window ago.
  expect(await states(endpoint)).toEqual(["cancelled too_old", "delivered"]);
  expect(system.arrived(endpoint)).toHaveLength(2);
});

test("without the event the worker does the same when the queue's turn comes", async () => {
  const endpoint = system.addEndpoint();
  await waiting(endpoint);
  pause(endpoint);
  system.clock.advance(5 * DAY);
  await held(endpoint);
  resume(endpoint);
  system.clock.advance(15_000);
  await waitFor(async () => (await states(endpoint))[0] === "cancelled too_old", { describe: "the cancellation" });
  expect(system.arrived(endpoint)).toHaveLength(1);
});

test.each<[string, Change]>([
  ["a rename", { status: "active", revision: 4, destinationRevision: 2 }],
  ["the creation", { status: "active", revision: 1 }],
  ["a pause", { status: "paused" }],
  ["a disabling", { status: "disabled" }],
])("%s cancels nothing", async (_, change) => {
  const endpoint = system.addEndpoint();
  await waiting(endpoint);
  pause(endpoint);
  system.clock.advance(5 * DAY);
  await tell(changed(endpoint, change));
  expect(await states(endpoint)).toEqual(["pending"]);
});

test("of a deleted webhook only ended deliveries are left", async () => {
  const [endpoint, sibling] = [system.addEndpoint(), system.addEndpoint()];
  await waiting(endpoint);
  await waiting(sibling);
  system.webhooks.endpoints.splice(system.webhooks.endpoints.indexOf(endpoint), 1);
  const event = changed(endpoint, { status: "deleted" });
  expect(await tell(event)).toEqual([event.eventId]);
  expect(await states(endpoint)).toEqual(["cancelled deleted"]);
  for (const table of ["due_deliveries", "endpoint_queues", "endpoint_health", "disable_requests"]) {
    const left = `SELECT 1 FROM ${table} WHERE subscription_id = $1`;
    expect(await system.sql(left, [endpoint.subscriptionId])).toEqual([]);
  }
  expect(
    await system.sql("SELECT 1 FROM endpoint_queues WHERE subscription_id = $1", [sibling.subscriptionId]),
  ).toHaveLength(1);
  // Again: nothing is left to do.
  expect(await tell(event)).toEqual([event.eventId]);
});

test("while an attempt to a deleted webhook is under way, its event comes again", async () => {
  const endpoint = system.addEndpoint();
  const answered = Promise.withResolvers<number>();
  system.receiver.answer(({ path }) => (endpoint.url.endsWith(path) ? answered.promise : 200));
  await system.complete(endpoint);
  await waitFor(() => system.arrived(endpoint).length === 1, { describe: "the request" });
  const event = changed(endpoint, { status: "deleted" });
  expect(await tell(event)).toEqual([]);
  answered.resolve(500);
  await waitFor(async () => (await tell(event)).length === 1, { describe: "the end of the attempt" });
  expect(await states(endpoint)).toEqual(["cancelled deleted"]);
});
