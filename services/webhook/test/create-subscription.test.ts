import type { AppError } from "@canvass/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace as workspace, refusal, startWebhookSystem, type WebhookSystem } from "./webhook-system.ts";

const resolve = async (host: string): Promise<string[]> => {
  if (host === "private.example") return ["93.184.216.34", "10.0.0.1"];
  if (host === "nowhere.example") throw new Error("ENOTFOUND");
  return ["93.184.216.34"];
};

let system: WebhookSystem;
beforeAll(async () => void (system = await startWebhookSystem({ resolve })));
afterAll(() => system[Symbol.asyncDispose]());

const createHook = (workspaceId: string, url?: string, name?: string) => system.createHook(workspaceId, url, name);

describe("creating", () => {
  test("a webhook gets a secret once; it is listed and read without it", async () => {
    const w = workspace();
    const { subscription, secret } = await createHook(w, "https://Example.com/hook");
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    expect(subscription).toMatchObject({
      name: "Hook",
      mode: "push",
      url: "https://Example.com/hook",
      eventTypes: ["response.completed"],
      status: "active",
      statusReason: "",
      consecutiveFailures: 0,
    });
    expect(subscription?.subscriptionId).toMatch(/^[0-9a-z]{16}$/);
    const { subscriptions } = await system.subscriptions.listSubscriptions({}, system.as(w));
    expect(subscriptions).toEqual([subscription]);
    const { subscriptionId } = subscription!;
    const got = await system.subscriptions.getSubscription({ subscriptionId }, system.as(w));
    expect(got.subscription).toEqual(subscription);
  });

  test("without a url it is a feed, which has no secret", async () => {
    const w = workspace();
    const { subscription, secret } = await createHook(w);
    expect(secret).toBe("");
    expect(subscription).toMatchObject({ mode: "pull", url: "" });
    // Feeds are not compared.
    await createHook(w);
  });

  test("secrets lie encrypted in the database", async () => {
    const w = workspace();
    const { secret } = await createHook(w, "https://example.com/");
    const rows = await system.sql("SELECT sealed FROM subscription_secrets WHERE workspace_id = $1", [w]);
    expect(rows).toHaveLength(1);
    const sealed = rows[0]!["sealed"] as Buffer;
    expect(sealed.includes(Buffer.from(secret))).toBe(false);
    expect(sealed.includes(Buffer.from(secret.slice(6), "base64"))).toBe(false);
  });

  test("every fault is named at once, and nothing is written", async () => {
    const w = workspace();
    const given = { name: 5, url: "https://private.example/", event_types: ["response.deleted"], colour: "red" };
    const error = await refusal(system.subscriptions.createSubscription(given, system.as(w)));
    expect(error.code).toBe("validation_failed");
    expect(Object.keys(error.details).sort()).toEqual(["colour", "event_types.0", "name", "url"]);
    expect((await system.subscriptions.listSubscriptions({}, system.as(w))).subscriptions).toEqual([]);
  });

  const notPublic = "must lead to a public internet address";
  test.each([
    ["http://example.com/", "must start with https://"],
    ["https://user:pw@example.com/", "must not contain a user name or password"],
    ["https://127.0.0.1/", notPublic],
    ["https://2130706433/", notPublic],
    ["https://10.0.0.1/", notPublic],
    ["https://169.254.169.254/latest/meta-data", notPublic],
    ["https://[::1]/", notPublic],
    ["https://[::ffff:10.0.0.1]/", notPublic],
    ["https://private.example/", notPublic],
    ["https://nowhere.example/", "has a host name that does not resolve"],
    ["https://example.com:8443/", "must use port 443"],
    ["https://example.com:22/", "must use port 443"],
    ["https://private.example:8443/", "must use port 443", notPublic],
    [`https://example.com/${"x".repeat(2048)}`, "must be at most 2048 characters long"],
    ["", "must be an absolute https URL; leave it out for an event feed"],
  ])("%j is no destination, for these reasons", async (url, ...reasons) => {
    const error = await refusal(createHook(workspace(), url));
    expect(error).toMatchObject({ code: "validation_failed", details: { url: reasons } });
  });

  test("a plan without webhooks is refused with the plan that has them, after faults of fields", async () => {
    const w = workspace();
    for (const plan of ["free", "starter", "unheard-of"]) {
      const good = system.subscriptions.createSubscription({ name: "Feed" }, system.as(w, { plan }));
      expect(await refusal(good)).toMatchObject({
        code: "feature_locked",
        details: { required_plan: "professional" },
      });
    }
    const bad = system.subscriptions.createSubscription({ name: "" }, system.as(w, { plan: "free" }));
    expect(await refusal(bad)).toMatchObject({ code: "validation_failed" });
  });

  test("of fifty creates with one URL in several spellings exactly one works, the others name it", async () => {
    const w = workspace();
    const spellings = ["https://example.com/hook", "https://EXAMPLE.com:443/hook#x", "https://example.com./%68ook"];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => createHook(w, spellings[i % spellings.length])),
    );
    const made = outcomes.filter((outcome) => outcome.status === "fulfilled");
    expect(made).toHaveLength(1);
    const id = made[0]!.value.subscription!.subscriptionId;
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") continue;
      expect(outcome.reason).toMatchObject({ code: "duplicate_subscription", details: { subscription_id: id } });
    }
    // In another workspace the same URL is free.
    await createHook(workspace(), spellings[0]);
  });

  test("twenty subscriptions are the limit, also in a race; a duplicate comes before the limit", async () => {
    const w = workspace();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, i) => createHook(w, i % 3 === 0 ? undefined : `https://example.com/${i}`)),
    );
    const made = outcomes.filter((outcome) => outcome.status === "fulfilled");
    expect(made).toHaveLength(20);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(new Set(refused.map(({ reason }) => (reason as AppError).code))).toEqual(
      new Set(["subscription_limit_reached"]),
    );
    const { subscriptions } = await system.subscriptions.listSubscriptions({}, system.as(w));
    const hook = subscriptions.find(({ url }) => url !== "")!;
    expect(await refusal(createHook(w, hook.url))).toMatchObject({ code: "duplicate_subscription" });
    await system.subscriptions.deleteSubscription({ subscriptionId: hook.subscriptionId }, system.as(w));
    await createHook(w, hook.url);
  });
});
