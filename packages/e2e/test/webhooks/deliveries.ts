import { waitFor } from "@canvass/testing";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readFeed, type ApiResponse, type ApiClient, type DemoSystem } from "../../src/index.ts";
import type { Databases } from "../databases.ts";
import { expectRefusal } from "../expected-shapes.ts";
import type { SharedSystem } from "../shared-system.ts";
import { openWebhookScene, type Hook, type WebhookScene } from "../webhook-scene.ts";

let scene: WebhookScene;
let demo: DemoSystem;
let api: ApiClient;
let databases: Databases;
let hook: Hook;

const post = (route: string, body?: object): Promise<ApiResponse> =>
  api.call("POST", `${hook.path}${route}`, body === undefined ? {} : { body });
const readDeliveries = async () => (await api.get(`${hook.path}/deliveries`)).data;

/** Waits until the newest delivery has this status after `attempts` attempts. */
const newest = (wanted: string, attempts: number) =>
  waitFor(
    async () => {
      const [delivery] = await readDeliveries();
      return delivery?.status === wanted && delivery.attempts.length === attempts ? delivery : undefined;
    },
    { describe: `a delivery that is ${wanted}` },
  );

/** Tests deliveries of a webhook: test deliveries, redeliveries, explanations, pauses. */
export function testDeliveries(shared: SharedSystem): void {
  beforeAll(async () => {
    scene = await openWebhookScene(shared);
    ({ demo, api, databases } = scene);
  });
  afterAll(() => scene?.[Symbol.asyncDispose]());

  beforeEach(async (context) => {
    hook = await scene.addHook();
    context.onTestFinished(() => hook.remove());
  });

  test("a test reaches the endpoint signed, in any state, and is kept nowhere", async () => {
    for (const state of ["active", "paused"]) {
      await api.patch(hook.path, { status: state });
      const { status: code, data } = await post("/test");
      expect(code).toBe(200);
      expect(data).toMatchObject({ outcome: "success", status_code: 204 });
      const { headers, body } = hook.received.at(-1)!;
      new Webhook(hook.secret).verify(body, headers as Record<string, string>);
      expect(headers["webhook-id"]).toBe(data.webhook_id);
      expect(data.signed_content).toBe(`${data.webhook_id}.${data.webhook_timestamp}.${body}`);
      expect(JSON.parse(body)).toMatchObject({ type: "webhook.test", data: { subscription_id: hook.id } });
    }
    hook.status = 410;
    expect((await post("/test")).data).toMatchObject({ outcome: "gone", status_code: 410 });
    expect((await api.get(hook.path)).data).toMatchObject({ status: "paused", consecutive_failures: 0 });
    expect(await readDeliveries()).toEqual([]);
  });

  test("what was delivered is sent again with the same id and bytes, once at a time, and audited", async () => {
    await scene.complete();
    const first = await newest("delivered", 1);
    hook.status = 500;
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(`/deliveries/${first.id}/redeliver`)));
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([201, ...Array(9).fill(409)]);
    const again = answers.find((answer) => answer.status === 201)!.data;
    expect(again).toMatchObject({ event_id: first.event_id, redelivery_of: first.id, status: "pending" });
    await newest("pending", 1);
    expectRefusal(await post(`/deliveries/${again.id}/redeliver`), 409, "delivery_pending");
    const [one, two] = hook.received;
    expect(two!.body).toBe(one!.body);
    expect(two!.headers["webhook-id"]).toBe(one!.headers["webhook-id"]);
    const audited = `/audit-log?action=subscription.delivery_redelivered&resource=${hook.id}`;
    const [entry] = await waitFor(
      async () => {
        const { data } = await api.get(audited);
        return data.length > 0 ? data : undefined;
      },
      { describe: "the audit entry" },
    );
    expect(entry.after).toEqual({ delivery_id: again.id, redelivery_of: first.id, event_id: first.event_id });
  });

  test("what failed in a time is sent again by one request", async () => {
    const from = new Date().toISOString();
    await scene.complete();
    await scene.complete();
    await waitFor(async () => (await api.get(`${hook.path}/deliveries?status=delivered`)).data.length === 2, {
      describe: "two deliveries",
    });
    const ofHook = `WHERE subscription_id = '${hook.id}'`;
    await databases.query("delivery", `UPDATE deliveries SET status = 'failed' ${ofHook}`);
    // `status=delivered` lists deliveries with a successful attempt.
    await databases.query("delivery", `UPDATE attempts SET outcome = 'http_error' ${ofHook}`);
    const { status: code, data } = await post("/deliveries/redeliver", { from });
    expect([code, data.deliveries]).toEqual([202, 2]);
    await waitFor(async () => (await api.get(`${hook.path}/deliveries?status=delivered`)).data.length === 2, {
      describe: "two redeliveries",
    });
    expect(await readDeliveries()).toHaveLength(4);
    expect((await post("/deliveries/redeliver", { from })).data.deliveries).toBe(0);
  });

  test("an event is explained: who listened, who did not and why, and what is next", async () => {
    const paused = await api.post("/event-subscriptions", { name: "Paused", url: `${demo.receiver.url}/paused` });
    await api.patch(`/event-subscriptions/${paused.data.id}`, { status: "paused" });
    hook.status = 503;
    const respondentId = await scene.complete();
    const pending = await newest("pending", 1);
    const late = await api.post("/event-subscriptions", { name: "Late", url: `${demo.receiver.url}/late` });
    const event = await waitFor(
      async () => (await readFeed(api)).events.find(({ data }) => data.response_id === respondentId),
      { describe: "the event in the feed" },
    );
    const { data } = await api.get(`/events/${event.id}/explain`);
    expect(data).toMatchObject({
      id: event.id,
      type: "response.completed",
      happened_at: event.timestamp,
      in_feed: true,
      plan_had_webhooks: true,
    });
    const words = Object.fromEntries(
      data.subscriptions.map((one: { name: string; listening: boolean; explanation: string }) => [
        one.name,
        `${one.listening}: ${one.explanation}`,
      ]),
    );
    expect(words).toEqual({
      Feed: "true: It listened: the event is in the feed; read it with GET /events.",
      CRM: expect.stringMatching(
        /^true: Waits for attempt 2 of 9 at \S+\. Attempt 1 at \S+ ended as http_error \(status 503\)\.$/,
      ),
      Paused: expect.stringMatching(/^false: It was paused from \S+ and still is, so the event was not queued\.$/),
      Late: `false: It was created at ${late.data.created_at}, after the event.`,
    });
    const crm = data.subscriptions.find(({ id }: { id: string }) => id === hook.id);
    expect(crm.deliveries).toEqual([{ ...pending, explanation: expect.any(String) }]);
    for (const { data: other } of [paused, late]) await api.call("DELETE", `/event-subscriptions/${other.id}`);
  });

  test("a resumed webhook goes on at once with what was queued, but for what is too old", async () => {
    hook.status = 500;
    await scene.complete();
    await newest("pending", 1);
    await api.patch(hook.path, { status: "paused" });
    // The paused webhook gets no delivery for it.
    await scene.complete();
    await databases.query(
      "delivery",
      `INSERT INTO deliveries SELECT workspace_id, subscription_id, 'old' || substr(delivery_id, 4), 'old' || event_id, 0,
       event_type, body, status, '', created_at - interval '4 days'
     FROM deliveries WHERE subscription_id = $1`,
      [hook.id],
    );
    await databases.query(
      "delivery",
      `INSERT INTO due_deliveries SELECT workspace_id, subscription_id, 'old' || substr(delivery_id, 4), due_at, due_at, 0
     FROM due_deliveries WHERE subscription_id = $1`,
      [hook.id],
    );
    await databases.query(
      "delivery",
      "UPDATE due_deliveries SET due_at = now(), scheduled_at = now() WHERE subscription_id = $1",
      [hook.id],
    );
    hook.status = 204;
    await api.patch(hook.path, { status: "active" });
    await waitFor(async () => (await api.get(`${hook.path}/deliveries?status=delivered`)).data.length === 1, {
      describe: "what was queued",
    });
    const listed = await readDeliveries();
    expect(listed.map((one: { status: string }) => one.status).sort()).toEqual(["cancelled", "delivered"]);
    expect(hook.received).toHaveLength(2);
  });

  test("a webhook that keeps failing is paused, and counts anew when it is resumed", async () => {
    hook.status = 500;
    await scene.complete();
    await newest("pending", 1);
    // As if it had failed for three days.
    const longAgo = "now() - interval '73 hours'";
    await databases.query("webhook", `UPDATE subscriptions SET active_since = ${longAgo} WHERE subscription_id = $1`, [
      hook.id,
    ]);
    await databases.query("delivery", `UPDATE webhooks SET active_since = ${longAgo} WHERE subscription_id = $1`, [
      hook.id,
    ]);
    await databases.query(
      "delivery",
      `UPDATE endpoint_health SET consecutive_failures = 9, pausing_failures = 9, active_since = ${longAgo}
     WHERE subscription_id = $1`,
      [hook.id],
    );
    await scene.complete();
    await newest("pending", 1);
    const paused = await waitFor(
      async () => {
        const { data } = await api.get(hook.path);
        return data.status === "paused" ? data : undefined;
      },
      { describe: "the pause" },
    );
    expect(paused).toMatchObject({ status_reason: "failing", consecutive_failures: 10 });
    expect((await readDeliveries()).map((one: { status: string }) => one.status)).toEqual(["pending", "pending"]);
    const resumed = await api.patch(hook.path, { status: "active" });
    expect(resumed.data).toMatchObject({ status: "active", status_reason: null, consecutive_failures: 0 });
    await scene.complete();
    await newest("pending", 1);
    // The worker reports failures after the attempt.
    const failing = await waitFor(
      async () => {
        const { data } = await api.get(hook.path);
        return data.consecutive_failures > 0 ? data : undefined;
      },
      { describe: "the first failure after the resumption" },
    );
    expect(failing).toMatchObject({ status: "active", consecutive_failures: 1 });
  });

  test("feeds, paused webhooks, absent deliveries and ids of nobody are refused in the contract's words", async () => {
    const feed = (await api.post("/event-subscriptions", { name: "Another feed" })).data.id;
    const absent = "0".repeat(16);
    const ask = (id: string, route: string, body?: object) =>
      api.call("POST", `/event-subscriptions/${id}${route}`, body === undefined ? {} : { body });
    const range = { from: "2026-01-01T00:00:00Z" };
    for (const [route, body] of [
      ["/test"],
      [`/deliveries/${absent}/redeliver`],
      ["/deliveries/redeliver", range],
    ] as const) {
      expectRefusal(await ask(feed, route, body), 409, "subscription_is_pull");
      expectRefusal(await ask(absent, route, body), 403, "subscription_not_found");
    }
    expectRefusal(await ask(hook.id, `/deliveries/${absent}/redeliver`), 404, "delivery_not_found");
    await api.patch(hook.path, { status: "paused" });
    expectRefusal(await ask(hook.id, "/deliveries/redeliver", range), 409, "subscription_not_active");
    const wrong = await ask(hook.id, "/deliveries/redeliver", { status: "lost", to: "then", more: 1 });
    expect(Object.keys(wrong.body.error!.details).sort()).toEqual(["from", "more", "status", "to"]);
    expectRefusal(await api.call("GET", `/events/${absent}/explain`), 404, "event_not_found");
    expectRefusal(await api.call("GET", "/events/nonsense/explain"), 404, "event_not_found");
    await api.call("DELETE", `/event-subscriptions/${feed}`);
  });
}
