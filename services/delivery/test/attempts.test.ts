import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Webhook } from "standardwebhooks";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { completion, startDeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const system = await sharedByFile(startDeliverySystem({ overrides: { random: () => 0.5 } }));
beforeEach(() => {
  system.receiver.answer(200);
  system.receiver.requests.length = 0;
  system.webhooks.away = false;
});

function verify(
  endpoint: FakeEndpoint,
  request: { body: string; headers: object },
  secret = endpoint.secrets[0]!,
): unknown {
  vi.useFakeTimers({ now: system.clock.now(), toFake: ["Date"] });
  try {
    return new Webhook(secret).verify(request.body, request.headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

test("every attempt carries the trace of its event, at once and from the queue; without a trace there is no header", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
  const endpoint = system.addEndpoint();
  await system.handOver([{ ...completion(endpoint.workspaceId, system.clock.now()), traceparent }]);
  await system.queue(endpoint, { ...completion(endpoint.workspaceId, system.clock.now()), traceparent });
  await system.publishCompletion(endpoint);
  await system.waitForDeliveries(endpoint, "delivered", 1);
  expect(system.receivedBy(endpoint)).toHaveLength(3);
  const sent = system.receivedBy(endpoint).map(({ headers }) => headers["traceparent"]);
  expect(sent.filter((one) => one === traceparent)).toHaveLength(2);
  expect(sent).toContain(undefined);
});

test("an event is delivered at once, signed, with its own id", async () => {
  const endpoint = system.addEndpoint();
  system.receiver.answer({ status: 202, body: "thank you" });
  const [event] = await system.publishCompletion(endpoint);
  const [delivery] = await system.waitForDeliveries(endpoint, "delivered", 1);
  expect(delivery).toMatchObject({ eventId: event!.eventId, eventType: "response.completed", redeliveryOf: "" });
  expect(delivery!.nextAttemptAt).toBeUndefined();
  expect(delivery!.attempts[0]).toMatchObject({
    number: 1,
    outcome: "success",
    statusCode: 202,
    responseBody: "thank you",
  });
  const [request] = system.receivedBy(endpoint);
  expect(request!.headers["webhook-id"]).toBe(event!.eventId);
  const body = event!.body;
  if (body.case !== "responseCompleted") throw new Error("not a completion");
  expect(verify(endpoint, request!)).toEqual({
    type: "response.completed",
    timestamp: body.value.timestamp,
    data: {
      workspace_id: endpoint.workspaceId,
      survey_id: "survey",
      response_id: body.value.responseId,
      completed_at: body.value.completedAt,
    },
  });
});

test("both secrets sign after a rotation", async () => {
  const other = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
  const endpoint = system.addEndpoint();
  endpoint.secrets.unshift(other);
  await system.publishCompletion(endpoint);
  await system.waitForDeliveries(endpoint, "delivered", 1);
  const [request] = system.receivedBy(endpoint);
  expect(String(request!.headers["webhook-signature"]).split(" ")).toHaveLength(2);
  for (const secret of endpoint.secrets) verify(endpoint, request!, secret);
  expect(() => verify(endpoint, request!, `whsec_${Buffer.alloc(24, 8).toString("base64")}`)).toThrow(/signature/);
});

test("an event that comes again, alone or with others, is queued once for each webhook", async () => {
  const endpoint = system.addEndpoint();
  const second = system.addEndpoint({ workspaceId: endpoint.workspaceId });
  const events = Array.from({ length: 30 }, () => completion(endpoint.workspaceId, system.clock.now()));
  await Promise.all([
    system.handOver(events),
    system.handOver([...events.toReversed(), ...events]),
    ...events.map((event) => system.handOver([event])),
  ]);
  for (const one of [endpoint, second]) {
    const deliveries = await system.waitForDeliveries(one, "delivered", 1);
    expect(new Set(deliveries.map(({ eventId }) => eventId))).toEqual(new Set(events.map(({ eventId }) => eventId)));
    expect(deliveries).toHaveLength(30);
    expect(system.receivedBy(one)).toHaveLength(30);
  }
});

describe("retrying", () => {
  test("nine attempts on the schedule, the same bytes and id each time, then failed", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer({ status: 503, body: "later" });
    const [event] = await system.publishCompletion(endpoint);
    const waits = [30, 300, 1800, 7200, 18_000, 36_000, 86_400, 172_800];
    let [delivery] = await system.waitForDeliveries(endpoint, "pending", 1);
    for (const [index, wait] of waits.entries()) {
      const due = timestampDate(delivery!.nextAttemptAt!).getTime();
      expect(due - timestampDate(delivery!.attempts[index]!.attemptedAt!).getTime()).toBe(wait * 1000);
      system.clock.set(new Date(due - 1));
      await system.handOver([]);
      system.clock.advance(1);
      const status = index === waits.length - 1 ? "failed" : "pending";
      [delivery] = await system.waitForDeliveries(endpoint, status, index + 2);
    }
    expect(delivery!.nextAttemptAt).toBeUndefined();
    expect(delivery!.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const requests = system.receivedBy(endpoint);
    expect(requests).toHaveLength(9);
    expect(new Set(requests.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([event!.eventId]));
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    const times = requests.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(times.map((time, index) => time - times[0]! - waits.slice(0, index).reduce((a, b) => a + b, 0))).toEqual(
      times.map(() => 0),
    );
    const left = await system.sql("SELECT 1 FROM due_deliveries WHERE subscription_id = $1", [endpoint.subscriptionId]);
    expect(left).toEqual([]);
  });

  test("a retry is not sent a millisecond before it is due", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(500);
    await system.publishCompletion(endpoint);
    await system.waitForDeliveries(endpoint, "pending", 1);
    system.clock.advance(29_999);
    // Another endpoint's delivery proves that the worker has polled since.
    const witness = system.addEndpoint();
    await system.publishCompletion(witness);
    await system.waitForDeliveries(witness, "pending", 1);
    expect(system.receivedBy(endpoint)).toHaveLength(1);
    system.receiver.answer(200);
    system.clock.advance(1);
    await system.waitForDeliveries(endpoint, "delivered", 2);
  });

  test("a changed address and a new secret count at the next attempt", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(500);
    await system.publishCompletion(endpoint);
    await system.waitForDeliveries(endpoint, "pending", 1);
    system.receiver.answer(200);
    const secrets = [`whsec_${Buffer.alloc(32, 5).toString("base64")}`];
    await system.change(endpoint, { url: `${endpoint.url}-moved`, secrets });
    system.clock.advance(30_000);
    await system.waitForDeliveries(endpoint, "delivered", 2);
    expect(system.receivedBy(endpoint)).toHaveLength(1);
    verify(endpoint, system.receivedBy(endpoint)[0]!);
  });
});
