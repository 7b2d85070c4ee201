import { timestampDate } from "@bufbuild/protobuf/wkt";
import { waitFor } from "@canvass/testing";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { completion, startDeliverySystem, type DeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

let system: DeliverySystem;

beforeAll(async () => {
  system = await startDeliverySystem({ overrides: { random: () => 0.5, sender: { budgetMs: 2000 } } });
});
afterAll(() => system[Symbol.asyncDispose]());
beforeEach(() => {
  system.receiver.answer(200);
  system.receiver.requests.length = 0;
  system.webhooks.away = false;
});

const complete = async (endpoint: FakeEndpoint, count = 1) => {
  const events = Array.from({ length: count }, () => completion(endpoint.workspaceId, system.clock.now()));
  await system.handOver(events);
  return events;
};
const arrived = (endpoint: FakeEndpoint) => system.receiver.requests.filter(({ path }) => endpoint.url.endsWith(path));

/** Waits until the endpoint's deliveries were given back and its queue rests. */
const held = ({ subscriptionId }: FakeEndpoint) =>
  waitFor(
    async () => {
      const rows = await system.sql(
        `SELECT 1 FROM endpoint_queues q WHERE subscription_id = $1 AND next_due_at > $2 AND NOT EXISTS (
           SELECT 1 FROM due_deliveries d WHERE d.subscription_id = q.subscription_id AND lease_id IS NOT NULL)`,
        [subscriptionId, system.clock.now()],
      );
      return rows.length === 1;
    },
    { describe: "the queue at rest" },
  );

/** As the reference implementation judges it, at the time of the system's clock. */
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

test("an event is delivered at once, signed, with its own id", async () => {
  const endpoint = system.addEndpoint();
  system.receiver.answer({ status: 202, body: "thank you" });
  const [event] = await complete(endpoint);
  const [delivery] = await system.settled(endpoint, "delivered", 1);
  expect(delivery).toMatchObject({ eventId: event!.eventId, eventType: "response.completed", redeliveryOf: "" });
  expect(delivery!.nextAttemptAt).toBeUndefined();
  expect(delivery!.attempts[0]).toMatchObject({
    number: 1,
    outcome: "success",
    statusCode: 202,
    responseBody: "thank you",
  });
  const [request] = arrived(endpoint);
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
  await complete(endpoint);
  await system.settled(endpoint, "delivered", 1);
  const [request] = arrived(endpoint);
  expect(String(request!.headers["webhook-signature"]).split(" ")).toHaveLength(2);
  for (const secret of endpoint.secrets) verify(endpoint, request!, secret);
  expect(() => verify(endpoint, request!, `whsec_${Buffer.alloc(24, 8).toString("base64")}`)).toThrow(/signature/);
});

test("an event that comes again, in any company, is queued once for each webhook", async () => {
  const endpoint = system.addEndpoint();
  const second = system.addEndpoint({ workspaceId: endpoint.workspaceId });
  const events = Array.from({ length: 30 }, () => completion(endpoint.workspaceId, system.clock.now()));
  await Promise.all([
    system.handOver(events),
    system.handOver([...events.toReversed(), ...events]),
    ...events.map((event) => system.handOver([event])),
  ]);
  for (const one of [endpoint, second]) {
    const deliveries = await system.settled(one, "delivered", 1);
    expect(new Set(deliveries.map(({ eventId }) => eventId))).toEqual(new Set(events.map(({ eventId }) => eventId)));
    expect(deliveries).toHaveLength(30);
    expect(arrived(one)).toHaveLength(30);
  }
});

describe("retrying", () => {
  test("nine attempts on the schedule, the same bytes and id each time, then failed", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer({ status: 503, body: "later" });
    const [event] = await complete(endpoint);
    const waits = [30, 300, 1800, 7200, 18_000, 36_000, 86_400, 172_800];
    let [delivery] = await system.settled(endpoint, "pending", 1);
    for (const [index, wait] of waits.entries()) {
      const due = timestampDate(delivery!.nextAttemptAt!).getTime();
      expect(due - timestampDate(delivery!.attempts[index]!.attemptedAt!).getTime()).toBe(wait * 1000);
      system.clock.set(new Date(due - 1));
      await system.handOver([]);
      system.clock.advance(1);
      const status = index === waits.length - 1 ? "failed" : "pending";
      [delivery] = await system.settled(endpoint, status, index + 2);
    }
    expect(delivery!.nextAttemptAt).toBeUndefined();
    expect(delivery!.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const requests = arrived(endpoint);
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

  test("not a moment before it is due", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(500);
    await complete(endpoint);
    await system.settled(endpoint, "pending", 1);
    system.clock.advance(29_999);
    // Another endpoint's delivery shows that the worker has looked since.
    const witness = system.addEndpoint();
    await complete(witness);
    await system.settled(witness, "pending", 1);
    expect(arrived(endpoint)).toHaveLength(1);
    system.receiver.answer(200);
    system.clock.advance(1);
    await system.settled(endpoint, "delivered", 2);
  });

  test("a changed address and a new secret count at the next attempt", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(500);
    await complete(endpoint);
    await system.settled(endpoint, "pending", 1);
    system.receiver.answer(200);
    endpoint.url = `${endpoint.url}-moved`;
    endpoint.secrets = [`whsec_${Buffer.alloc(32, 5).toString("base64")}`];
    system.clock.advance(30_000);
    await system.settled(endpoint, "delivered", 2);
    expect(arrived(endpoint)).toHaveLength(1);
    verify(endpoint, arrived(endpoint)[0]!);
  });
});

describe("outcomes", () => {
  test.each([
    [404, "http_error", 404],
    [302, "http_error", 302],
    ["close", "connection_error", 0],
    ["hang", "no_response", 0],
  ] as const)("%s is %s and retried", async (answer, outcome, statusCode) => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(answer);
    await complete(endpoint);
    const [delivery] = await system.settled(endpoint, "pending", 1);
    expect(delivery!.attempts[0]).toMatchObject({ outcome, statusCode });
    expect(timestampDate(delivery!.nextAttemptAt!).getTime()).toBeGreaterThan(system.clock.now().getTime());
    system.webhooks.endpoints.splice(system.webhooks.endpoints.indexOf(endpoint), 1);
  });

  test("410 disables the subscription and cancels what is queued for it, and nothing else", async () => {
    const endpoint = system.addEndpoint();
    const neighbour = system.addEndpoint({ workspaceId: endpoint.workspaceId });
    system.receiver.answer(({ path }) => (endpoint.url.endsWith(path) ? 500 : 200));
    await complete(endpoint, 20);
    await system.settled(endpoint, "pending", 1);
    system.receiver.answer(({ path }) => (endpoint.url.endsWith(path) ? 410 : 200));
    await complete(endpoint);
    const deliveries = await waitFor(
      async () => {
        const found = await system.list(endpoint, "cancelled");
        return found.length === 21 ? found : undefined;
      },
      { describe: "21 cancelled deliveries" },
    );
    expect(deliveries[0]!.attempts.map(({ outcome, statusCode }) => [outcome, statusCode])).toEqual([["gone", 410]]);
    await waitFor(async () => (await system.sql("SELECT 1 FROM disable_requests")).length === 0, {
      describe: "settled",
    });
    const { subscriptionId } = endpoint;
    expect(system.webhooks.disabled.filter((one) => one.subscriptionId === subscriptionId)).toContainEqual({
      subscriptionId,
      reason: "gone",
    });
    await system.settled(neighbour, "delivered", 1);
    expect(await system.list(neighbour)).toHaveLength(21);
  });

  test("after a 410 nothing that waits is sent", async () => {
    const endpoint = system.addEndpoint();
    const neighbour = system.addEndpoint();
    const gone = Promise.withResolvers<number>();
    system.receiver.answer(({ path }) => (endpoint.url.endsWith(path) ? gone.promise : 200));
    await complete(endpoint, 40);
    await waitFor(() => arrived(endpoint).length === 10, { describe: "the first ten requests" });
    gone.resolve(410);
    await waitFor(async () => (await system.list(endpoint, "cancelled")).length === 40, { describe: "all cancelled" });
    await complete(neighbour);
    await system.settled(neighbour, "delivered", 1);
    expect(arrived(endpoint)).toHaveLength(10);
  });

  test("while the webhook service does not know of a 410 yet, nothing more is sent there", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(() => {
      system.webhooks.away = true;
      return 410;
    });
    await complete(endpoint);
    await waitFor(async () => (await system.sql("SELECT 1 FROM disable_requests")).length === 1, {
      describe: "request",
    });
    system.clock.advance(60_000);
    expect(endpoint.status).toBeUndefined();
    system.webhooks.away = false;
    await waitFor(() => endpoint.status === "disabled", { describe: "the subscription disabled" });
    await system.settled(endpoint, "cancelled", 1);
    expect(arrived(endpoint)).toHaveLength(1);
  });

  test("an address that may not be reached is blocked, disables the subscription, and keeps the queue", async () => {
    const endpoint = system.addEndpoint({ url: "https://10.0.0.1/hook" });
    await complete(endpoint);
    const [delivery] = await system.settled(endpoint, "pending", 1);
    expect(delivery!.attempts[0]).toMatchObject({ outcome: "blocked", statusCode: 0 });
    await waitFor(() => endpoint.status === "disabled", { describe: "the subscription disabled" });
    expect(endpoint.statusReason).toBe("blocked");
    // The owner corrects the address and resumes.
    Object.assign(endpoint, { url: `${system.receiver.url}/corrected`, status: "active", statusReason: "" });
    system.clock.advance(60_000);
    await system.settled(endpoint, "delivered", 2);
  });
});

describe("subscriptions that do not take deliveries", () => {
  test("a paused one keeps its queue without using up attempts, and goes on when resumed", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(500);
    await complete(endpoint, 3);
    await system.settled(endpoint, "pending", 1);
    system.receiver.answer(200);
    endpoint.status = "paused";
    system.clock.advance(30_000);
    await held(endpoint);
    system.clock.advance(86_400_000);
    await held(endpoint);
    await system.settled(endpoint, "pending", 1);
    endpoint.status = "active";
    system.clock.advance(60_000);
    await system.settled(endpoint, "delivered", 2);
    expect(arrived(endpoint)).toHaveLength(6);
  });

  test("one that is gone has its queue cancelled", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(500);
    await complete(endpoint, 3);
    await system.settled(endpoint, "pending", 1);
    system.webhooks.endpoints.splice(system.webhooks.endpoints.indexOf(endpoint), 1);
    system.clock.advance(30_000);
    const statuses = () =>
      system.sql("SELECT DISTINCT status FROM deliveries WHERE subscription_id = $1", [endpoint.subscriptionId]);
    await waitFor(async () => (await statuses())[0]!["status"] === "cancelled", { describe: "cancelled" });
    expect(await statuses()).toHaveLength(1);
    expect(arrived(endpoint)).toHaveLength(3);
  });
});

test("while the webhook service is away no attempt is used up, and events come again", async () => {
  const endpoint = system.addEndpoint();
  system.receiver.answer(500);
  await complete(endpoint);
  await system.settled(endpoint, "pending", 1);
  system.receiver.answer(200);
  system.webhooks.away = true;
  const missed = completion(endpoint.workspaceId, system.clock.now());
  await expect(system.handOver([missed])).rejects.toMatchObject({ code: "service_unavailable" });
  system.clock.advance(30_000);
  await held(endpoint);
  system.webhooks.away = false;
  await system.handOver([missed]);
  system.clock.advance(2000);
  const deliveries = await waitFor(
    async () => {
      const found = await system.list(endpoint, "delivered");
      return found.length === 2 ? found : undefined;
    },
    { describe: "both delivered" },
  );
  expect(deliveries.map(({ attempts }) => attempts.length)).toEqual([1, 2]);
});
