import { SecretsOperatorService, type RotatedSecretsKey } from "@canvass/proto/webhook-operator";
import { createTestDatabase, waitFor } from "@canvass/testing";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { newWorkspace, refusal, startWebhookSystem, type WebhookSystem } from "./webhook-system.ts";

const migrations = join(import.meta.dirname, "../prisma/migrations");
const operatorKey = randomBytes(32).toString("base64");
const newKey = () => randomBytes(32).toString("base64");

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let key: string;
const open = new AsyncDisposableStack();
afterAll(() => open[Symbol.asyncDispose]());
beforeEach(async () => {
  database = open.use(await createTestDatabase(migrations));
  key = newKey();
});

const start = async (keys = key): Promise<WebhookSystem> =>
  startWebhookSystem({
    databaseUrl: database.url,
    environment: { CANVASS_SECRETS_KEY: keys, CANVASS_OPERATOR_KEY: operatorKey },
  });

async function rotate(system: WebhookSystem): Promise<RotatedSecretsKey & { resealed: bigint }> {
  let last: (RotatedSecretsKey & { resealed: bigint }) | undefined;
  for await (const { resealed, outcome } of system
    .client(SecretsOperatorService, { operatorKey })
    .rotateSecretsKey({})) {
    if (outcome) last = { ...outcome, resealed };
  }
  return last!;
}

interface Hook {
  workspaceId: string;
  subscriptionId: string;
  secret: string;
}

async function createHooks(system: WebhookSystem, count: number): Promise<Hook[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const workspaceId = newWorkspace();
      const { subscription, secret } = await system.createHook(workspaceId, "https://example.com/");
      return { workspaceId, subscriptionId: subscription!.subscriptionId, secret };
    }),
  );
}

async function expectOpen(system: WebhookSystem, hooks: Hook[]): Promise<void> {
  const { endpoints } = await system.subscriptions.batchGetEndpoints({ endpoints: hooks });
  expect(endpoints.map(({ secrets }) => secrets)).toEqual(hooks.map(({ secret }) => [secret]));
}

const storedKeys = (system: WebhookSystem) => system.sql("SELECT key_id FROM secrets_keys");

test("a new key seals everything, each replica uses it at once, and the one before it is gone", async () => {
  await using one = await start();
  await using other = await start();
  const hooks = await createHooks(one, 5);
  await expectOpen(other, hooks);
  const first = await rotate(one);
  expect(first).toMatchObject({ resumed: false, resealed: 5n, removableKeyIds: [] });
  expect(first.keys).toMatchObject([{ keyId: first.keyId, secrets: 5n, unknown: false }]);
  hooks.push(...(await createHooks(other, 2)));
  await expectOpen(one, hooks);
  await expectOpen(other, hooks);
  const second = await rotate(other);
  expect(second).toMatchObject({ resumed: false, resealed: 7n });
  expect(second.keyId).not.toBe(first.keyId);
  expect(await storedKeys(one)).toEqual([{ key_id: second.keyId }]);
  await expectOpen(one, hooks);
  await expectOpen(other, hooks);
  const sealed = await one.sql<{ sealed: Buffer }>("SELECT sealed FROM secrets_keys");
  expect(sealed[0]!.sealed.length).toBeGreaterThan(32);
});

test("a rotation that is cut in the middle leaves every secret open, and the next one goes on with its key", async () => {
  const hooks: Hook[] = [];
  {
    await using system = await start();
    for (let n = 0; n < 9; n++) hooks.push(...(await createHooks(system, 50)));
    const last = await system.sql<{ secret_id: string }>(
      "SELECT secret_id FROM subscription_secrets ORDER BY workspace_id DESC, subscription_id DESC LIMIT 1",
    );
    const holder = await system.pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM subscription_secrets WHERE secret_id = $1 FOR UPDATE", [last[0]!.secret_id]);
    const cut = rotate(system).catch(() => "cut");
    const blocked = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await waitFor(async () => (await system.sql(`SELECT 1 ${blocked}`)).length > 0, { describe: "half of it" });
    // As kill -9 would: the connection goes, and what was not committed with it.
    await system.sql(`SELECT pg_terminate_backend(pid) ${blocked}`);
    expect(await cut).toBe("cut");
    await holder.query("COMMIT");
    holder.release();
    await expectOpen(system, hooks);
  }
  await using system = await start();
  await expectOpen(system, hooks);
  const [half] = await storedKeys(system);
  const outcome = await rotate(system);
  expect(outcome).toMatchObject({ resumed: true, keyId: half!["key_id"] });
  expect(outcome.keys).toMatchObject([{ keyId: outcome.keyId, secrets: 450n }]);
  expect(Number(outcome.resealed)).toBeGreaterThan(0);
  expect(Number(outcome.resealed)).toBeLessThan(450);
  expect(await storedKeys(system)).toHaveLength(1);
  await expectOpen(system, hooks);
  expect(await rotate(system)).toMatchObject({ resumed: false, resealed: 450n });
});

test("while secrets are made and replaced at both replicas, every one opens afterwards with the newest key", async () => {
  await using one = await start();
  await using other = await start();
  const hooks = await createHooks(one, 20);
  const writing = (async () => {
    for (let n = 0; n < 10; n++) {
      hooks.push(...(await createHooks(n % 2 ? one : other, 2)));
      const hook = hooks[n]!;
      const answer = await other.subscriptions.rotateSecret(hook, other.as(hook.workspaceId));
      hook.secret = answer.secret;
    }
  })();
  await Promise.all([rotate(one), rotate(other), writing]);
  const { keys, keyId } = await rotate(one);
  expect(keys).toMatchObject([{ keyId }]);
  const { endpoints } = await other.subscriptions.batchGetEndpoints({ endpoints: hooks });
  expect(endpoints.map(({ secrets }) => secrets[0])).toEqual(hooks.map(({ secret }) => secret));
});

test("a rotation that begins before the one that sealed all has ended loses no secret", async () => {
  await using one = await start();
  await using other = await start();
  const hooks = await createHooks(one, 2);
  const waiting = (locktype: string) =>
    one.sql(
      `SELECT FROM pg_locks l JOIN pg_stat_activity USING (pid) WHERE NOT granted AND locktype = $1
       AND datname = current_database()`,
      [locktype],
    );
  await using holders = new AsyncDisposableStack();
  const [rows, lock] = await Promise.all([one.pool.connect(), one.pool.connect()]);
  holders.defer(() => {
    rows.release(true);
    lock.release(true);
  });
  await rows.query("BEGIN; SELECT FROM subscription_secrets FOR UPDATE");
  const first = rotate(one);
  await waitFor(async () => (await waiting("transactionid")).length === 1, { describe: "the first, which seals" });
  await lock.query("SELECT pg_advisory_lock_shared(hashtextextended('secrets keys', 0))");
  const second = rotate(other);
  await waitFor(async () => (await waiting("advisory")).length === 1, { describe: "the second, which begins" });
  await rows.query("ROLLBACK");
  await waitFor(async () => (await waiting("advisory")).length === 2, { describe: "the first, which ends" });
  await lock.query("SELECT pg_advisory_unlock_shared(hashtextextended('secrets keys', 0))");
  const rotated = await Promise.all([first, second]);
  expect(rotated.map(({ resumed }) => resumed)).toEqual([false, false]);
  await expectOpen(await start(), hooks);
});

test("secrets open while CANVASS_SECRETS_KEY is replaced: put the new one in front, rotate, take the old one away", async () => {
  const fresh = newKey();
  let hooks: Hook[];
  {
    await using system = await start();
    hooks = await createHooks(system, 3);
    await rotate(system);
  }
  {
    await using system = await start(`${fresh},${key}`);
    await expectOpen(system, hooks);
    const { removableKeyIds, keys } = await rotate(system);
    expect([removableKeyIds.length, keys.length]).toEqual([1, 1]);
  }
  await using system = await start(fresh);
  await expectOpen(system, hooks);
});

test("a missing key stops the start with a line that names it", async () => {
  const other = newKey();
  {
    await using system = await start();
    await createHooks(system, 2);
    await expect(start(other)).rejects.toThrow(/^CANVASS_SECRETS_KEY lacks keys .*[0-9a-f]{8} \(2 secrets\)/);
    await rotate(system);
  }
  const failed = start(other);
  await expect(failed).rejects.toThrow(/^CANVASS_SECRETS_KEY lacks the key [0-9a-f]{8}/);
  await expect(failed).rejects.not.toThrow(other);
});

test("a secret that does not open stays, and its key is reported as unknown; the others are sealed anew", async () => {
  await using system = await start();
  const [broken, ...fine] = await createHooks(system, 3);
  await system.sql("UPDATE subscription_secrets SET sealed = 'garbage' WHERE workspace_id = $1", [broken!.workspaceId]);
  const { keyId, keys } = await rotate(system);
  expect(keys).toHaveLength(2);
  expect(keys).toContainEqual(expect.objectContaining({ keyId, secrets: 2n, unknown: false }));
  expect(keys).toContainEqual(expect.objectContaining({ secrets: 1n, unknown: true }));
  await expectOpen(system, fine);
});

test("only operators may rotate the key", async () => {
  await using system = await start();
  const peer = system.client(SecretsOperatorService);
  const call = (async () => {
    for await (const _ of peer.rotateSecretsKey({}, system.as(newWorkspace())));
  })();
  expect(await refusal(call)).toMatchObject({ code: "unauthorized" });
});
