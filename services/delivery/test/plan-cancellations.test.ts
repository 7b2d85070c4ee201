import type { Event } from "@canvass/proto/events";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { completion, planChange, refusal, startDeliverySystem } from "./delivery-system.ts";
import { SHOWN } from "./delivery-tables.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const system = await sharedByFile(startDeliverySystem());
beforeEach(() => system.receiver.answer(() => 500));

const handOver = (...events: Event[]) => system.handOver(events, "plan-cancellations");
const now = () => system.clock.now();
const requestsOf = ({ url }: FakeEndpoint) => system.receiver.requests.filter(({ path }) => url.endsWith(path));

const dueOf = ({ workspaceId }: FakeEndpoint) =>
  system.sql("SELECT delivery_id FROM due_deliveries WHERE workspace_id = $1", [workspaceId]);

/** Adds deliveries that failed once and wait for a retry. */
async function addWaiting(endpoint: FakeEndpoint, count = 1): Promise<void> {
  await system.handOver(Array.from({ length: count }, () => completion(endpoint.workspaceId, now())));
  await system.waitForDeliveries(endpoint, "pending", 1);
}

test("a plan without webhooks cancels what all webhooks of the workspace have queued, and nothing of another workspace", async () => {
  const first = system.addEndpoint();
  const second = system.addEndpoint({ workspaceId: first.workspaceId });
  const other = system.addEndpoint();
  for (const endpoint of [first, other]) await addWaiting(endpoint, 3);
  await system.waitForDeliveries(second, "pending", 1);
  const change = planChange(first.workspaceId, "free", now());
  expect(await handOver(change)).toEqual([change.eventId]);
  for (const endpoint of [first, second]) {
    const deliveries = await system.list(endpoint);
    expect(deliveries.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual(
      Array.from({ length: 3 }, () => ["cancelled", undefined]),
    );
  }
  expect(await dueOf(first)).toEqual([]);
  expect(await system.list(other, "pending")).toHaveLength(3);
  expect(await dueOf(other)).toHaveLength(3);
});

test("a plan without webhooks cancels a paused webhook's queue, too, however long it is", async () => {
  const endpoint = system.addEndpoint({ status: "paused" });
  const events = Array.from({ length: 1200 }, () => completion(endpoint.workspaceId, now()));
  for (const event of events) await system.queue(endpoint, event);
  await handOverUntilStored(planChange(endpoint.workspaceId, "starter", now()));
  expect(await dueOf(endpoint)).toEqual([]);
  const rows = await system.sql(`SELECT status, count(*)::int FROM ${SHOWN} WHERE workspace_id = $1 GROUP BY status`, [
    endpoint.workspaceId,
  ]);
  expect(rows).toEqual([{ status: "cancelled", count: 1200 }]);
  expect(requestsOf(endpoint)).toEqual([]);
});

/** Repeats until stored, as the source does. */
const handOverUntilStored = (event: Event) =>
  waitFor(async () => (await handOver(event)).length === 1, { describe: "the change to be stored" });

test.each([
  [500, "pending", { status: "cancelled", attempts: [{ outcome: "http_error" }] }],
  [204, "delivered", { status: "delivered", attempts: [{ outcome: "success" }] }],
])(
  "a plan without webhooks lets an attempt under way end, also with %i; until then its event comes again",
  async (status, settled, delivery) => {
    const answered = Promise.withResolvers<number>();
    system.receiver.answer(() => answered.promise);
    const endpoint = system.addEndpoint();
    await system.handOver([completion(endpoint.workspaceId, now())]);
    await waitFor(() => requestsOf(endpoint).length === 1, { describe: "the request" });
    const change = planChange(endpoint.workspaceId, "free", now());
    expect(await handOver(change)).toEqual([]);
    answered.resolve(status);
    await system.waitForDeliveries(endpoint, settled, 1);
    expect(await handOver(change)).toEqual([change.eventId]);
    expect(await system.list(endpoint)).toMatchObject([delivery]);
  },
);

test("a change of plan that comes late or again cancels only what was queued until its own time", async () => {
  const endpoint = system.addEndpoint();
  await addWaiting(endpoint);
  const [old] = await system.list(endpoint);
  const down = planChange(endpoint.workspaceId, "free", now());
  system.clock.advance(1000);
  const up = planChange(endpoint.workspaceId, "enterprise", now());
  system.clock.advance(1000);
  await addWaiting(endpoint);
  expect(await handOver(up)).toEqual([up.eventId]);
  expect(await system.list(endpoint, "pending")).toHaveLength(2);
  for (const again of [[down], [down, up, down], [up]]) {
    expect(new Set(await handOver(...again))).toEqual(new Set(again.map(({ eventId }) => eventId)));
    expect(await system.list(endpoint, "cancelled")).toMatchObject([{ deliveryId: old!.deliveryId }]);
    expect(await system.list(endpoint, "pending")).toHaveLength(1);
  }
});

test("what is queued after the plan has lost webhooks is cancelled instead of sent", async () => {
  const endpoint = system.addEndpoint();
  await handOver(planChange(endpoint.workspaceId, "free", now()));
  system.clock.advance(1);
  await system.queue(endpoint, completion(endpoint.workspaceId, now()));
  await system.waitForDeliveries(endpoint, "cancelled", 0);
  expect(await dueOf(endpoint)).toEqual([]);
  expect(requestsOf(endpoint)).toEqual([]);
});

/** Lets the plan lose webhooks and get them back; the second change does not arrive. */
async function regainPlan({ workspaceId }: FakeEndpoint): Promise<void> {
  await handOver(planChange(workspaceId, "free", now()));
  system.clock.advance(1);
  system.tokens.pending = [planChange(workspaceId, "enterprise", now())];
  system.clock.advance(1);
}

test("an event whose plan cannot be told is not settled, and queued once it can", async () => {
  const endpoint = system.addEndpoint();
  const other = system.addEndpoint();
  await regainPlan(endpoint);
  const [own, foreign] = [completion(endpoint.workspaceId, now()), completion(other.workspaceId, now())];
  system.tokens.away = true;
  expect(await system.handOver([own, foreign])).toEqual([foreign.eventId]);
  await system.waitForDeliveries(other, "pending", 1);
  expect(await system.list(endpoint)).toEqual([]);
  system.tokens.away = false;
  expect(await system.handOver([own, foreign])).toEqual([own.eventId, foreign.eventId]);
  expect((await system.waitForDeliveries(endpoint, "pending", 1)).map(({ eventId }) => eventId)).toEqual([own.eventId]);
});

test("an event from after the plan has lost webhooks is settled without a delivery", async () => {
  const endpoint = system.addEndpoint();
  await handOver(planChange(endpoint.workspaceId, "free", now()));
  system.clock.advance(1);
  const event = completion(endpoint.workspaceId, now());
  expect(await system.handOver([event])).toEqual([event.eventId]);
  expect(await system.list(endpoint)).toEqual([]);
});

test("while the plan cannot be told the queue waits, a test is refused for now, and nothing is cancelled", async () => {
  const endpoint = system.addEndpoint();
  system.receiver.answer(() => 200);
  await regainPlan(endpoint);
  system.tokens.away = true;
  await system.queue(endpoint, completion(endpoint.workspaceId, now()));
  const { subscriptionId, workspaceId } = endpoint;
  const refused = await refusal(system.deliveries.sendTest({ subscriptionId }, system.callAs(workspaceId)));
  expect(refused.code).toBe("service_unavailable");
  const { refusals } = system.tokens;
  system.clock.advance(60_000);
  await waitFor(() => system.tokens.refusals > refusals, { describe: "a look at the webhook" });
  expect(await system.list(endpoint, "pending")).toHaveLength(1);
  system.tokens.away = false;
  system.clock.advance(60_000);
  await system.waitForDeliveries(endpoint, "delivered", 1);
});
