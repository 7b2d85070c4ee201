import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { completion, startDeliverySystem, type DeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

let system: DeliverySystem;
beforeAll(async () => {
  // Background reports are slow: once a second.
  system = await startDeliverySystem({ overrides: { pollMs: 60_000 } });
});
afterAll(() => system[Symbol.asyncDispose]());

const publishCompletion = ({ workspaceId }: FakeEndpoint, count = 1) =>
  system.handOver(Array.from({ length: count }, () => completion(workspaceId, system.clock.now())));

test("whatever an answer shows of attempts, the webhook service knows by then", async () => {
  const endpoint = system.addEndpoint();
  const answers = [200, 500, 503, 200, 500, 500, 200];
  let failures = 0;
  let lastSuccessAt: Date | undefined;
  for (const [index, status] of answers.entries()) {
    system.clock.advance(1000);
    failures = status === 200 ? 0 : failures + 1;
    if (status === 200) lastSuccessAt = system.clock.now();
    system.receiver.answer(status);
    await publishCompletion(endpoint);
    await waitFor(async () => (await system.list(endpoint)).flatMap(({ attempts }) => attempts).length > index, {
      describe: "the attempt in the list",
    });
    expect(system.webhooks.health.get(endpoint.subscriptionId)).toEqual({ failures, lastSuccessAt });
  }
});

test("an answer that shows a 410 comes when the subscription is disabled and its queue is cancelled", async () => {
  const endpoint = system.addEndpoint();
  system.receiver.answer(503);
  await publishCompletion(endpoint, 3);
  await system.waitForDeliveries(endpoint, "pending", 1);
  system.receiver.answer(() => {
    // Background reports fail and back off.
    system.webhooks.away = true;
    return 410;
  });
  await publishCompletion(endpoint);
  await waitFor(async () => (await system.sql("SELECT 1 FROM disable_requests")).length === 1, { describe: "request" });
  await waitFor(() => system.webhooks.refusals > 3, { describe: "refusals" });
  system.webhooks.away = false;
  const [newest] = await system.list(endpoint);
  expect(newest!.attempts.map(({ outcome }) => outcome)).toEqual(["gone"]);
  expect(endpoint).toMatchObject({ status: "disabled", statusReason: "gone" });
  expect(system.webhooks.health.get(endpoint.subscriptionId)).toMatchObject({ failures: 4 });
  const statuses = (await system.list(endpoint)).map(({ status }) => status);
  expect(statuses).toEqual(["cancelled", "cancelled", "cancelled", "cancelled"]);
});

test("an answer that shows a blocked attempt comes when the subscription is disabled, and counts as a failure", async () => {
  const endpoint = system.addEndpoint({ url: "https://10.0.0.1/hook" });
  await publishCompletion(endpoint);
  const [delivery] = await waitFor(
    async () => {
      const found = await system.list(endpoint);
      return found[0]?.attempts.length === 1 ? found : undefined;
    },
    { describe: "the attempt in the list" },
  );
  expect(delivery).toMatchObject({ status: "pending", attempts: [{ outcome: "blocked" }] });
  expect(endpoint).toMatchObject({ status: "disabled", statusReason: "blocked" });
  expect(system.webhooks.health.get(endpoint.subscriptionId)).toMatchObject({ failures: 1 });
});

test("a report does not wait for endpoints that change all the time", async () => {
  const endpoint = system.addEndpoint();
  // Each of 500 endpoints has another attempt before its report is stored.
  await system.sql(`CREATE FUNCTION change_again() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN NEW.unreported := true; RETURN NEW; END $$`);
  await system.sql(`CREATE TRIGGER change_again BEFORE UPDATE ON endpoint_health FOR EACH ROW
    WHEN (OLD.workspace_id = '0') EXECUTE FUNCTION change_again()`);
  await system.sql(`INSERT INTO endpoint_health (workspace_id, subscription_id, consecutive_failures)
    SELECT '0', n, 0 FROM generate_series(1, 500) AS n`);
  system.receiver.answer(500);
  await publishCompletion(endpoint);
  await waitFor(() => system.webhooks.health.has(endpoint.subscriptionId), { describe: "the report" });
  expect(system.webhooks.health.get(endpoint.subscriptionId)).toMatchObject({ failures: 1 });
});
