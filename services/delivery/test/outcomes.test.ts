import { timestampDate } from "@bufbuild/protobuf/wkt";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, describe, expect, test } from "vitest";
import { startDeliverySystem } from "./delivery-system.ts";

const system = await sharedByFile(startDeliverySystem({ overrides: { random: () => 0.5 } }));
beforeEach(() => {
  system.receiver.answer(200);
  system.receiver.requests.length = 0;
  system.webhooks.away = false;
});

describe("outcomes", () => {
  test.each([
    [404, "http_error", 404, ""],
    [302, "http_error", 302, ""],
    ["close", "connection_error", 0, "reset"],
    ["gibberish", "connection_error", 0, "bad_http"],
    ["hang", "no_response", 0, ""],
  ] as const)("%s is %s and retried", async (answer, outcome, statusCode, reason) => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(answer);
    await system.publishCompletion(endpoint);
    const [delivery] = await system.waitForDeliveries(endpoint, "pending", 1);
    expect(delivery!.attempts[0]).toMatchObject({ outcome, statusCode, reason });
    expect(timestampDate(delivery!.nextAttemptAt!).getTime()).toBeGreaterThan(system.clock.now().getTime());
    await system.remove(endpoint);
  });

  test("410 disables the subscription and cancels what is queued for it, and nothing else", async () => {
    const endpoint = system.addEndpoint();
    const neighbour = system.addEndpoint({ workspaceId: endpoint.workspaceId });
    system.receiver.answer(({ path }) => (endpoint.url.endsWith(path) ? 500 : 200));
    await system.publishCompletion(endpoint, 20);
    await system.waitForDeliveries(endpoint, "pending", 1);
    system.receiver.answer(({ path }) => (endpoint.url.endsWith(path) ? 410 : 200));
    const [last] = await system.publishCompletion(endpoint);
    const deliveries = await waitFor(
      async () => {
        const found = await system.list(endpoint, "cancelled");
        return found.length === 21 ? found : undefined;
      },
      { describe: "21 cancelled deliveries" },
    );
    const answered = deliveries.find(({ eventId }) => eventId === last!.eventId)!;
    expect(answered.attempts.map(({ outcome, statusCode }) => [outcome, statusCode])).toEqual([["gone", 410]]);
    await waitFor(async () => (await system.sql("SELECT 1 FROM disable_requests")).length === 0, {
      describe: "settled",
    });
    const { subscriptionId } = endpoint;
    expect(system.webhooks.disabled.filter((one) => one.subscriptionId === subscriptionId)).toContainEqual({
      subscriptionId,
      reason: "gone",
    });
    await system.waitForDeliveries(neighbour, "delivered", 1);
    expect(await system.list(neighbour)).toHaveLength(21);
  });

  test("after a 410 nothing that waits is sent", async () => {
    const endpoint = system.addEndpoint();
    const neighbour = system.addEndpoint();
    const gone = Promise.withResolvers<number>();
    system.receiver.answer(({ path }) => (endpoint.url.endsWith(path) ? gone.promise : 200));
    await system.publishCompletion(endpoint, 40);
    await waitFor(() => system.receivedBy(endpoint).length === 10, { describe: "the first ten requests" });
    gone.resolve(410);
    await waitFor(async () => (await system.list(endpoint, "cancelled")).length === 40, { describe: "all cancelled" });
    await system.publishCompletion(neighbour);
    await system.waitForDeliveries(neighbour, "delivered", 1);
    expect(system.receivedBy(endpoint)).toHaveLength(10);
  });

  test("a retry opens a connection, although one is kept", async () => {
    // Nothing else is sent meanwhile.
    while (system.webhooks.endpoints.length > 0) await system.remove(system.webhooks.endpoints[0]!);
    const endpoint = system.addEndpoint();
    const before = system.receiver.connections;
    system.receiver.answer(500);
    await system.publishCompletion(endpoint);
    await system.waitForDeliveries(endpoint, "pending", 1);
    expect(system.receiver.connections - before).toBe(1);
    system.receiver.answer(200);
    system.clock.advance(60_000);
    await system.waitForDeliveries(endpoint, "delivered", 2);
    expect(system.receiver.connections - before).toBe(2);
  });

  test("while the webhook service does not know of a 410 yet, nothing more is sent there", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(() => {
      system.webhooks.away = true;
      return 410;
    });
    await system.publishCompletion(endpoint);
    await waitFor(async () => (await system.sql("SELECT 1 FROM disable_requests")).length === 1, {
      describe: "request",
    });
    system.clock.advance(60_000);
    expect(endpoint.status).toBeUndefined();
    system.webhooks.away = false;
    await waitFor(() => endpoint.status === "disabled", { describe: "the subscription disabled" });
    await system.waitForDeliveries(endpoint, "cancelled", 1);
    expect(system.receivedBy(endpoint)).toHaveLength(1);
  });

  test("a webhook that cannot be disabled holds up no other that is gone", async () => {
    const [stuck, other] = [system.addEndpoint(), system.addEndpoint()];
    system.webhooks.stuck.add(stuck.subscriptionId);
    system.receiver.answer(410);
    await system.publishCompletion(stuck);
    const requested = "SELECT 1 FROM disable_requests WHERE subscription_id = $1";
    await waitFor(async () => (await system.sql(requested, [stuck.subscriptionId])).length === 1, {
      describe: "the older request",
    });
    system.clock.advance(1);
    await system.publishCompletion(other);
    await waitFor(() => other.status === "disabled", { describe: "the other one disabled" });
    expect(stuck.status).toBeUndefined();
    system.webhooks.stuck.clear();
    await waitFor(() => stuck.status === "disabled", { describe: "the first one disabled" });
  });

  test("a hundred webhooks that cannot be disabled hold up no other that is gone", async () => {
    const stuck = Array.from({ length: 100 }, () => system.addEndpoint());
    for (const { subscriptionId } of stuck) system.webhooks.stuck.add(subscriptionId);
    await system.sql(
      `INSERT INTO disable_requests (workspace_id, subscription_id, reason, requested_at)
       SELECT workspace_id, subscription_id, 'blocked', $3 FROM unnest($1::text[], $2::text[]) AS r(workspace_id, subscription_id)`,
      [stuck.map(({ workspaceId }) => workspaceId), stuck.map(({ subscriptionId }) => subscriptionId), new Date(0)],
    );
    system.receiver.answer(410);
    const other = system.addEndpoint();
    await system.publishCompletion(other);
    await waitFor(() => other.status === "disabled", { describe: "the other one disabled" });
    expect(stuck.every(({ status }) => status === undefined)).toBe(true);
    system.webhooks.stuck.clear();
    await waitFor(() => stuck.every(({ status }) => status === "disabled"), { describe: "all disabled" });
  });

  test("an address that may not be reached is blocked, disables the subscription, and keeps the queue", async () => {
    const endpoint = system.addEndpoint({ url: "https://10.0.0.1/hook" });
    await system.publishCompletion(endpoint);
    const [delivery] = await system.waitForDeliveries(endpoint, "pending", 1);
    expect(delivery!.attempts[0]).toMatchObject({ outcome: "blocked", statusCode: 0 });
    await waitFor(() => endpoint.status === "disabled", { describe: "the subscription disabled" });
    expect(endpoint.statusReason).toBe("blocked");
    // The owner corrects the address and resumes.
    await system.change(endpoint, {
      url: `${system.receiver.url}/corrected`,
      status: "active",
      statusReason: "",
      destinationRevision: 3,
    });
    system.clock.advance(60_000);
    await system.waitForDeliveries(endpoint, "delivered", 2);
  });
});
