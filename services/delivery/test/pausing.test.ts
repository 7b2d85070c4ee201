import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { completion, startDeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const HOUR = 3_600_000;

const system = await sharedByFile(startDeliverySystem({ overrides: { random: () => 0.5 } }));
beforeEach(() => {
  system.receiver.answer(500);
  system.webhooks.away = false;
});

const addEndpoint = () => system.addEndpoint({ activeSince: system.clock.now() });
const pausesOf = ({ subscriptionId }: FakeEndpoint) =>
  system.webhooks.paused.filter((one) => one.subscriptionId === subscriptionId);

/** Waits until so many attempts were recorded, and all that follows from them was reported. */
const untilAttempted = (endpoint: FakeEndpoint, attempts: number) =>
  waitFor(
    async () => {
      const listed = await system.list(endpoint);
      return listed.reduce((sum, delivery) => sum + delivery.attempts.length, 0) === attempts;
    },
    { describe: `${attempts} attempts` },
  );

test("ten failures in a row and 72 hours without success pause a webhook, once", async () => {
  const endpoint = addEndpoint();
  await system.publishCompletion(endpoint, 9);
  await untilAttempted(endpoint, 9);
  system.clock.advance(72 * HOUR - 1);
  await untilAttempted(endpoint, 18);
  // Enough failures, a millisecond too early.
  expect(pausesOf(endpoint)).toEqual([]);
  system.clock.advance(HOUR);
  await untilAttempted(endpoint, 27);
  expect(pausesOf(endpoint)).toEqual([
    { subscriptionId: endpoint.subscriptionId, failedAttempts: expect.any(Number), lastSuccessAt: undefined },
  ]);
  expect(endpoint).toMatchObject({ status: "paused", statusReason: "failing" });
  expect(pausesOf(endpoint)[0]!.failedAttempts).toBeGreaterThanOrEqual(10);
  // What is queued stays, unattempted.
  system.clock.advance(100 * HOUR);
  const [delivery] = await system.list(endpoint);
  expect(delivery).toMatchObject({ status: "pending" });
  await untilAttempted(endpoint, 27);
});

test("nine failures pause nothing, however long ago the last success was", async () => {
  const endpoint = addEndpoint();
  await system.publishCompletion(endpoint, 8);
  await untilAttempted(endpoint, 8);
  await system.sql("UPDATE due_deliveries SET due_at = due_at + interval '900 days', scheduled_at = due_at");
  system.clock.advance(200 * HOUR);
  await system.publishCompletion(endpoint);
  await untilAttempted(endpoint, 9);
  expect(pausesOf(endpoint)).toEqual([]);
  await system.publishCompletion(endpoint);
  await untilAttempted(endpoint, 10);
  expect(pausesOf(endpoint)).toHaveLength(1);
});

test("a success starts the 72 hours and the count anew", async () => {
  const endpoint = addEndpoint();
  await system.publishCompletion(endpoint, 12);
  await untilAttempted(endpoint, 12);
  system.receiver.answer(200);
  const succeededAt = system.clock.now();
  await system.publishCompletion(endpoint);
  await untilAttempted(endpoint, 13);
  system.receiver.answer(500);
  system.clock.advance(71 * HOUR);
  await untilAttempted(endpoint, 25);
  expect(pausesOf(endpoint)).toEqual([]);
  system.clock.advance(2 * HOUR);
  await untilAttempted(endpoint, 37);
  expect(pausesOf(endpoint)).toMatchObject([{ lastSuccessAt: succeededAt }]);
});

test("a pause that was due before a resume is ignored, and counting starts anew", async () => {
  const endpoint = addEndpoint();
  await system.publishCompletion(endpoint, 10);
  await untilAttempted(endpoint, 10);
  // The webhook service is away when the webhook is to be paused; then somebody resumes the webhook.
  system.receiver.answer(() => {
    system.webhooks.away = true;
    return 500;
  });
  system.clock.advance(73 * HOUR);
  const failing = "SELECT 1 FROM endpoint_health WHERE subscription_id = $1 AND pausing_failures > 10 AND unreported";
  await waitFor(async () => (await system.sql(failing, [endpoint.subscriptionId])).length === 1, {
    describe: "a failing endpoint that is not reported",
  });
  await system.change(endpoint, { destinationRevision: 3, activeSince: system.clock.now() });
  system.receiver.answer(500);
  system.webhooks.away = false;
  await waitFor(async () => (await system.sql("SELECT 1 FROM endpoint_health WHERE unreported")).length === 0, {
    describe: "the report",
  });
  expect(pausesOf(endpoint)).toEqual([]);
  system.clock.advance(HOUR);
  await system.handOver([completion(endpoint.workspaceId, system.clock.now())]);
  await waitFor(async () => (await system.list(endpoint))[0]!.attempts.length === 1, { describe: "another failure" });
  expect(pausesOf(endpoint)).toEqual([]);
  expect(endpoint.status).toBeUndefined();
});

test("a webhook that cannot be paused holds up no other that keeps failing", async () => {
  const [stuck, other] = [addEndpoint(), addEndpoint()];
  system.webhooks.stuck.add(stuck.subscriptionId);
  await system.sql(
    `INSERT INTO endpoint_health (workspace_id, subscription_id, consecutive_failures, pausing_failures, last_failure_at,
       destination_revision, active_since)
     SELECT workspace_id, subscription_id, 10, 10, $3::timestamptz + interval '72 hours', 1, $3
     FROM unnest($1::text[], $2::text[]) AS failing (workspace_id, subscription_id)`,
    [
      [stuck, other].map(({ workspaceId }) => workspaceId),
      [stuck, other].map(({ subscriptionId }) => subscriptionId),
      system.clock.now(),
    ],
  );
  await waitFor(() => pausesOf(other).length === 1, { describe: "the other one paused" });
  expect(pausesOf(stuck)).toEqual([]);
  system.webhooks.stuck.clear();
  await waitFor(() => pausesOf(stuck).length === 1, { describe: "the first one paused" });
});
