import { callOptions } from "@canvass/rpc";
import { idempotency, signedPerson } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { Webhook } from "standardwebhooks";
import type { ReceivedRequest } from "@canvass/testing/https-receiver";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test, vi } from "vitest";
import { planChange, refusal, startDeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const system = await sharedByFile(startDeliverySystem());
beforeEach(() => {
  system.receiver.answer({ status: 202, body: "thank you" });
  system.receiver.requests.length = 0;
});

const send = ({ workspaceId, subscriptionId }: FakeEndpoint, options = {}) =>
  system.deliveries.sendTest({ subscriptionId }, { ...system.callAs(workspaceId), ...options });

test.each(["active", "paused", "disabled"])(
  "a test of a webhook that is %s is signed and returns what the receiver responded",
  async (status) => {
    const endpoint = system.addEndpoint({ status, statusReason: status === "disabled" ? "gone" : "" });
    const sent = await send(endpoint);
    expect(sent).toMatchObject({ outcome: "success", statusCode: 202, responseBody: "thank you" });
    const [{ headers, body }] = system.receivedBy(endpoint) as [ReceivedRequest];
    expect(headers["webhook-id"]).toBe(sent.webhookId);
    expect(headers["webhook-timestamp"]).toBe(String(sent.webhookTimestamp));
    expect(sent.signedContent).toBe(`${sent.webhookId}.${sent.webhookTimestamp}.${body}`);
    vi.useFakeTimers({ now: system.clock.now(), toFake: ["Date"] });
    const event = new Webhook(endpoint.secrets[0]!).verify(body, headers as Record<string, string>);
    vi.useRealTimers();
    expect(event).toEqual({
      type: "webhook.test",
      timestamp: system.clock.now().toISOString(),
      data: {
        workspace_id: endpoint.workspaceId,
        subscription_id: endpoint.subscriptionId,
        message: expect.any(String),
      },
    });
  },
);

test.each([
  [410, "gone", ""],
  [500, "http_error", ""],
  ["close", "connection_error", "reset"],
] as const)("a test that meets %s is reported and leaves no trace", async (answer, outcome, reason) => {
  system.receiver.answer(answer);
  const endpoint = system.addEndpoint();
  expect(await send(endpoint)).toMatchObject({ outcome, reason });
  for (const table of ["deliveries", "attempts", "due_deliveries", "endpoint_health", "disable_requests"]) {
    const rows = await system.sql(`SELECT 1 FROM ${table} WHERE workspace_id = $1`, [endpoint.workspaceId]);
    expect(rows).toEqual([]);
  }
  expect(endpoint.status).toBeUndefined();
});

test("an address that may not be reached is blocked, and the webhook stays as it is", async () => {
  const endpoint = system.addEndpoint({ url: "https://10.0.0.1/hook" });
  expect(await send(endpoint)).toMatchObject({ outcome: "blocked", statusCode: 0, responseBody: "" });
  expect(endpoint.status).toBeUndefined();
});

test("a test of an absent webhook, of a feed, or without webhooks in the plan is refused, and nothing is sent", async () => {
  const endpoint = system.addEndpoint();
  const feed = system.addEndpoint({ mode: "pull" });
  const free = callOptions({ signedCaller: signedPerson({ workspaceId: endpoint.workspaceId, plan: "free" }) });
  const absent = { ...endpoint, subscriptionId: "0".repeat(16) };
  expect(await refusal(send(absent))).toMatchObject({ code: "subscription_not_found" });
  expect(await refusal(send(feed))).toMatchObject({ code: "subscription_is_pull" });
  expect(await refusal(send(endpoint, free))).toMatchObject({
    code: "feature_locked",
    details: { required_plan: "professional" },
  });
  const locked = system.addEndpoint();
  await system.handOver([planChange(locked.workspaceId, "free", system.clock.now())], "plan-cancellations");
  expect(await refusal(send(locked))).toMatchObject({
    code: "feature_locked",
    details: { required_plan: "professional" },
  });
  expect(system.receiver.requests).toEqual([]);
});

test("a receiver that hangs is no_response before the request's deadline, whatever that is", async () => {
  system.receiver.answer("hang");
  const endpoint = system.addEndpoint();
  // Half a second is left for the answer: a machine that stalls then is asked again.
  const sent = await waitFor(() => send(endpoint, { timeoutMs: 2000 }), { describe: "the answer" });
  expect(sent).toMatchObject({ outcome: "no_response", statusCode: 0 });
});

test("receivers that hang take their workspace's permits and nobody else's", async () => {
  const [slow, other] = [system.addEndpoint(), system.addEndpoint()];
  const held = Promise.withResolvers<number>();
  system.receiver.answer(({ path }) => (slow.url.endsWith(path) ? held.promise : 200));
  const unresponsive = [1, 2, 3].map(() => send(slow, { timeoutMs: 60_000 }));
  await waitFor(() => system.receivedBy(slow).length === 3, { describe: "three tests under way" });
  expect(await refusal(send(slow))).toMatchObject({ code: "rate_limited", details: { concurrent_tests: 3 } });
  // More than the workspace's permits and the pool together.
  const listed = Array.from({ length: 20 }, () => system.list(slow));
  expect(await Promise.all(listed)).toHaveLength(20);
  expect(await send(other)).toMatchObject({ outcome: "success" });
  held.resolve(200);
  expect((await Promise.all(unresponsive)).map(({ outcome }) => outcome)).toEqual(Array(3).fill("success"));
  expect(await send(slow)).toMatchObject({ outcome: "success" });
});

test("a test that is asked for again with its key is not sent again", async () => {
  const endpoint = system.addEndpoint();
  const { workspaceId, subscriptionId } = endpoint;
  const keyed = () =>
    system.deliveries.sendTest(
      { subscriptionId },
      callOptions({ signedCaller: signedPerson({ workspaceId }), idempotency: idempotency("once", {}) }),
    );
  const first = await keyed();
  endpoint.status = "deleted";
  expect(await keyed()).toEqual(first);
  expect(system.receivedBy(endpoint)).toHaveLength(1);
});
