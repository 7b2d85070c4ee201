import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readFeed, type ApiClient, type DemoSystem, type OtherWorkspace } from "../../src/index.ts";
import { connectOperator } from "../../src/connect-operator.ts";
import { openDatabases, type Databases } from "../databases.ts";
import { expectRefusal } from "../expected-shapes.ts";
import type { SharedSystem } from "../shared-system.ts";
import { completeRespondent, publishSmallSurvey, type SmallSurvey } from "../small-survey.ts";
import { whileAway } from "../while-away.ts";

let demo: DemoSystem;
let databases: Databases;
let operator: ReturnType<typeof connectOperator>;
let workspace: OtherWorkspace;
let api: ApiClient;
let survey: SmallSurvey;
let hookId: string;

const complete = () => completeRespondent(api, survey);
const received = (respondentId: string) =>
  [...demo.receiver.events.values()].some(({ data }) => data["response_id"] === respondentId);
const feed = async () => (await readFeed(api)).events.map(({ data }) => data.response_id);
const deliveries = async () => (await api.get(`/event-subscriptions/${hookId}/deliveries`)).data;

const hasDelivered = (respondentId: string) =>
  waitFor(async () => received(respondentId) && (await feed()).includes(respondentId), {
    describe: "the completion at the webhook and in the feed",
  });

/** Changes the plan, and waits until the gateway and all consumers use it. */
async function moveTo(plan: string): Promise<void> {
  await operator.setPlan({ workspaceId: workspace.workspaceId, plan });
  const status = plan === "free" ? 403 : 200;
  await waitFor(async () => (await api.call("GET", "/events")).status === status, { describe: `the plan ${plan}` });
  await outboxEmptied("token");
}

/** Waits until all consumers have stored the service's events. */
const outboxEmptied = (service: "token" | "response") =>
  waitFor(async () => (await databases.query(service, "SELECT 1 FROM outbox_events")).length === 0, {
    describe: `an empty outbox of ${service}`,
  });

/** Counts the webhook service's statements that wait for a lock. */
const waitingStatements = async () => {
  const sql = "SELECT FROM pg_stat_activity WHERE datname = 'canvass_webhook' AND wait_event_type = 'Lock'";
  // Keeps the connection that holds the lock from closing as idle.
  await databases.query("webhook", "SELECT 1");
  return (await databases.query("delivery", sql)).length;
};

/** Tests a plan without webhooks. Stops the webhook and the delivery service for a while. */
export function testPlanWithoutWebhooks(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ demo } = shared);
    databases = openDatabases(demo.system.local.databaseUrl);
    operator = connectOperator(demo.system);
  });
  afterAll(async () => {
    await operator?.[Symbol.asyncDispose]();
    await databases?.[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    workspace = await shared.newWorkspace();
    ({ api } = workspace);
    survey = await publishSmallSurvey(api);
    const hook = await api.post("/event-subscriptions", { name: "Hook", url: demo.receiver.url });
    await api.post("/event-subscriptions", { name: "Feed" });
    demo.receiver.trust(hook.data.secret);
    demo.receiver.intercept(undefined);
    hookId = hook.data.id;
  });

  test("a completion without the plan is neither sent nor kept; those before and after are", async () => {
    const before = await complete();
    await hasDelivered(before);
    await moveTo("free");
    const without = await complete();
    await outboxEmptied("response");
    expectRefusal(await api.call("GET", "/events"), 403, "feature_locked");
    await moveTo("professional");
    const after = await complete();
    await hasDelivered(after);
    expect(await feed()).toEqual([before, after]);
    expect(received(without)).toBe(false);
    expect((await deliveries()).map(({ status }: { status: string }) => status)).toEqual(["delivered", "delivered"]);
  });

  test("what an unreachable receiver has queued is cancelled with the plan; listing and deleting work", async () => {
    demo.receiver.intercept(() => 503);
    const respondentId = await complete();
    await waitFor(async () => (await deliveries())[0]?.attempts.length === 1, {
      describe: "the first attempt to fail",
    });
    demo.receiver.intercept(undefined);
    expect(await deliveries()).toMatchObject([{ status: "pending" }]);
    await moveTo("free");
    expect(await deliveries()).toMatchObject([
      { status: "cancelled", next_attempt_at: null, attempts: [{ number: 1 }] },
    ]);
    const listed = (await api.get("/event-subscriptions")).data;
    expect(listed.map(({ status }: { status: string }) => status)).toEqual(["active", "active"]);
    expectRefusal(await api.call("POST", "/event-subscriptions", { body: { name: "More" } }), 403, "feature_locked");
    await moveTo("enterprise");
    expect(await feed()).toEqual([respondentId]);
    expect(await deliveries()).toMatchObject([{ status: "cancelled", attempts: [{ number: 1 }] }]);
    await moveTo("free");
    for (const { id } of listed) expect((await api.call("DELETE", `/event-subscriptions/${id}`)).status).toBe(200);
    expect((await api.get("/event-subscriptions")).data).toEqual([]);
  });

  test("what completes right after the plan is back is kept and sent, although the change arrives behind it", async () => {
    await moveTo("free");
    // Blocks storing plan changes, but not reading plans.
    await databases.query("webhook", "BEGIN");
    await databases.query("webhook", "LOCK TABLE plan_changes IN SHARE MODE");
    await operator.setPlan({ workspaceId: workspace.workspaceId, plan: "professional" });
    const respondentId = await complete();
    try {
      await waitFor(async () => (await waitingStatements()) > 1, {
        describe: "the change, and the completion that asks for it",
      });
    } finally {
      await databases.query("webhook", "ROLLBACK");
    }
    await waitFor(async () => (await api.call("GET", "/events")).status === 200, { describe: "the plan" });
    await hasDelivered(respondentId);
  }, 120_000);

  test("a change while webhook and delivery service are down is consumed when they are back", async () => {
    await complete();
    await outboxEmptied("response");
    await whileAway(demo.system, ["webhook", "delivery"], () =>
      operator.setPlan({ workspaceId: workspace.workspaceId, plan: "free" }),
    );
    await outboxEmptied("token");
    const without = await complete();
    await outboxEmptied("response");
    await moveTo("enterprise");
    expect(await feed()).toHaveLength(1);
    expect(received(without)).toBe(false);
  });
}
