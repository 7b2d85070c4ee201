import { idempotency as named } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newWorkspace, refusal, startWebhookSystem, type WebhookSystem } from "./webhook-system.ts";

const DAY_MS = 86_400_000;

let system: WebhookSystem;
beforeAll(async () => void (system = await startWebhookSystem()));
afterAll(() => system[Symbol.asyncDispose]());

let w: string;
let subscriptionId: string;
let first: string;
beforeEach(async () => {
  w = newWorkspace();
  const { subscription, secret } = await system.createHook(w, "https://example.com/hidden-path");
  [subscriptionId, first] = [subscription!.subscriptionId, secret];
});

const rotate = (options = system.as(w), id = subscriptionId) =>
  system.subscriptions.rotateSecret({ subscriptionId: id }, options);
const signing = async () => (await system.endpoint(w, subscriptionId)).secrets;
const stored = () => system.sql<{ sealed: Buffer }>("SELECT * FROM subscription_secrets WHERE workspace_id = $1", [w]);

test("both secrets sign for 24 hours, the new one first, then it alone; the old one is deleted", async () => {
  const { secret, subscription, previousUntil } = await rotate();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(subscription).toMatchObject({ subscriptionId, status: "active" });
  expect(Number(previousUntil!.seconds)).toBe((system.clock.now().getTime() + DAY_MS) / 1000);
  expect(await signing()).toEqual([secret, first]);
  system.clock.advance(DAY_MS - 1);
  expect(await signing()).toEqual([secret, first]);
  system.clock.advance(1);
  expect(await signing()).toEqual([secret]);
  await waitFor(async () => (await stored()).length === 1, { describe: "the old secret to be deleted" });
});

test("a secret that is sealed anew holds up the deletion of no other", async () => {
  await rotate();
  const other = newWorkspace();
  const { subscription } = await system.createHook(other, "https://example.com/other");
  await rotate(system.as(other), subscription!.subscriptionId);
  const sealing = await system.pool.connect();
  try {
    await sealing.query("BEGIN");
    await sealing.query("SELECT FROM subscription_secrets WHERE workspace_id = $1 FOR UPDATE", [w]);
    system.clock.advance(DAY_MS);
    const left = () => system.sql("SELECT FROM subscription_secrets WHERE workspace_id = $1", [other]);
    await waitFor(async () => (await left()).length === 1, { describe: "the deletion of another's old secret" });
    expect(await stored()).toHaveLength(2);
    await sealing.query("COMMIT");
  } finally {
    sealing.release(true);
  }
});

test("rotating twice keeps the newest two: a secret that got out signs no more", async () => {
  const { secret: second } = await rotate();
  const { secret: third } = await rotate();
  expect(await signing()).toEqual([third, second]);
  expect(await stored()).toHaveLength(2);
  system.clock.advance(DAY_MS);
  expect(await signing()).toEqual([third]);
});

test("of many rotations at once each gets a secret of its own, and the secrets of two of them sign", async () => {
  const secrets = (await Promise.all(Array.from({ length: 16 }, () => rotate()))).map(({ secret }) => secret);
  expect(new Set(secrets).size).toBe(16);
  const now = await signing();
  expect(now).toHaveLength(2);
  for (const secret of now) expect(secrets).toContain(secret);
  expect(await system.audited(w)).toHaveLength(17);
});

test("a paused webhook's secret is rotated, too; refusals come in the order of the contract", async () => {
  await system.subscriptions.updateSubscription({ subscriptionId, status: "paused" }, system.as(w));
  expect((await rotate()).subscription).toMatchObject({ status: "paused" });
  const feed = (await system.createHook(w)).subscription!.subscriptionId;
  const free = system.as(w, { plan: "free" });
  const refused = [
    rotate(system.as(newWorkspace())),
    rotate(free, "0".repeat(16)),
    rotate(free, feed),
    rotate(system.as(w), feed),
  ];
  expect((await Promise.all(refused.map(refusal))).map(({ code }) => code)).toEqual([
    "subscription_not_found",
    "subscription_not_found",
    "feature_locked",
    "subscription_is_pull",
  ]);
});

test("no secret is kept in clear anywhere, also not under an idempotency key", async () => {
  const options = () => system.as(w, { idempotency: named("k1", "") });
  const answers = [await rotate(options()), await rotate(options())];
  expect(answers[0]!.secret).not.toBe(answers[1]!.secret);
  const tables = await system.sql<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
  );
  let kept = "";
  for (const { name } of tables) {
    for (const row of await system.sql(`SELECT * FROM "${name}"`)) {
      const values = Object.values(row).map((value) =>
        Buffer.isBuffer(value) ? value.toString("latin1") : String(value),
      );
      kept += values.join("\n");
    }
  }
  for (const { secret } of [...answers, { secret: first }]) {
    expect(kept).not.toContain(secret.slice(6));
    expect(kept).not.toContain(Buffer.from(secret.slice(6), "base64").toString("latin1"));
  }
});

test("owners and admins are told once for each rotation, by whom and until when the old one signs", async () => {
  const { previousUntil } = await rotate();
  const told = (await system.notified(w)).filter(({ notification }) => notification.case === "webhookSecretReplaced");
  expect(told).toMatchObject([
    {
      personName: "Ada",
      tokenName: "CI",
      notification: { value: { webhook: { subscriptionId, name: "Hook", host: "example.com" }, previousUntil } },
    },
  ]);
  const [, rotated] = await system.audited(w);
  expect(rotated).toMatchObject({ personId: "person0000000001", action: "subscription.secret_rotated" });
  expect(rotated!.afterJson).not.toContain("hidden");
});
