import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { SubscriptionChanged } from "@canvass/proto/events";
import { callOptions } from "@canvass/rpc";
import { idempotency, signedPerson } from "@canvass/service/testing";
import { createSecretBox } from "@canvass/webhook-sender";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { newWorkspace, planChange, refusal, startWebhookSystem } from "./webhook-system.ts";

const url = "https://example.com/hook";
let w: string;

const system = await sharedByFile(startWebhookSystem());
beforeEach(() => {
  system.delivery.isAway = false;
  system.delivery.taken.length = 0;
  w = newWorkspace();
});

const isChange = (body: {
  case: string | undefined;
  value?: unknown;
}): body is { case: string; value: SubscriptionChanged } => body.case === "subscriptionChanged";

/** States that were handed over, oldest first. */
const pushed = () =>
  system.delivery.taken.flatMap(({ event: { workspaceId, body } }) =>
    workspaceId === w && isChange(body) && (body.value.webhook ?? body.value.status) ? [body.value] : [],
  );
const last = () => pushed().at(-1)!;
const asked = async () => (await system.subscriptions.batchGetWebhooks({ workspaceIds: [w] })).workspaces[0]!;
const open = (sealed: Uint8Array, subscriptionId: string) =>
  createSecretBox(system.secretsKey).open(sealed, { workspaceId: w, subscriptionId });

test("a webhook and its intervals are handed over as they were at one time", async () => {
  const { subscriptionId } = (await system.createHook(w, url)).subscription!;
  const other = await system.pool.connect();
  await other.query("BEGIN; LOCK TABLE listening_intervals IN ACCESS EXCLUSIVE MODE");
  const rotated = system.subscriptions.rotateSecret({ subscriptionId }, system.as(w));
  const waiting =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%ORDER BY coalesce(i.ended_at%WITH TIES'";
  await waitFor(async () => (await system.sql(waiting)).length > 0, { describe: "the reading of intervals" });
  // As a change of event types does.
  await other.query(`UPDATE listening_intervals SET ended_at = started_at WHERE subscription_id = '${subscriptionId}'`);
  await other.query("COMMIT");
  other.release();
  await rotated;
  expect(last()).toMatchObject({ webhook: { revision: 2 }, intervals: [{ subscriptionId }] });
  expect(last().intervals[0]!.endedAt).toBeUndefined();
});

test("each change is handed over with its state before it is answered, and BatchGetWebhooks returns the same", async () => {
  const { subscription, secret } = await system.createHook(w, url);
  const { subscriptionId } = subscription!;
  expect(last()).toMatchObject({ subscriptionId, status: "active", webhook: { revision: 1, url, status: "active" } });
  expect(open(last().webhook!.sealedSecret, subscriptionId)).toBe(secret);
  expect(last().intervals).toMatchObject([{ eventTypes: ["response.completed"] }]);
  expect(last().intervals[0]!.endedAt).toBeUndefined();

  system.clock.advance(1000);
  const pausedAt = system.clock.now();
  await system.subscriptions.updateSubscription({ subscriptionId, status: "paused" }, system.as(w));
  expect(last()).toMatchObject({ webhook: { revision: 2, status: "paused" }, intervals: [{ subscriptionId }] });
  expect(timestampDate(last().intervals[0]!.endedAt!)).toEqual(pausedAt);

  system.clock.advance(1000);
  await system.subscriptions.updateSubscription({ subscriptionId, status: "active", url: `${url}/2` }, system.as(w));
  expect(last()).toMatchObject({ webhook: { revision: 3, url: `${url}/2`, destinationRevision: 3 } });
  expect(last().intervals.filter(({ endedAt }) => endedAt === undefined)).toHaveLength(1);

  const rotated = await system.subscriptions.rotateSecret({ subscriptionId }, system.as(w));
  const { sealedSecret, sealedFormerSecret, formerUntil } = last().webhook!;
  expect([sealedSecret, sealedFormerSecret].map((sealed) => open(sealed, subscriptionId))).toEqual([
    rotated.secret,
    secret,
  ]);
  expect(formerUntil).toEqual(rotated.previousUntil);
  const { webhooks, intervals } = await asked();
  const { sealedSecret: _, sealedFormerSecret: __, ...rest } = last().webhook!;
  expect(webhooks).toMatchObject([rest]);
  expect(new Set(intervals.map(({ intervalId }) => intervalId))).toEqual(
    new Set(last().intervals.map(({ intervalId }) => intervalId)),
  );

  await system.subscriptions.deleteSubscription({ subscriptionId }, system.as(w));
  expect(last()).toMatchObject({ subscriptionId, status: "deleted" });
  expect(await asked()).toMatchObject({ webhooks: [], intervals: [] });
});

test("changes at one time by a clock that is behind the last change are handed over with the interval that lasts", async () => {
  const { subscriptionId } = (await system.createHook(w, url)).subscription!;
  const other = newWorkspace();
  const intervals = new Map<string, boolean>();
  system.clock.set(new Date(system.clock.now().getTime() - 500));
  for (let round = 0; round < 5; round += 1) {
    for (const status of ["paused", "active"]) {
      // Meanwhile the process makes ids of another time.
      await system.createHook(other);
      await system.subscriptions.updateSubscription({ subscriptionId, status }, system.as(w));
      for (const { intervalId, endedAt } of last().intervals) intervals.set(intervalId, endedAt === undefined);
      expect([...intervals.values()].filter((lasts) => lasts)).toHaveLength(status === "active" ? 1 : 0);
    }
  }
});

test("the platform's own changes are handed over, too", async () => {
  const { subscriptionId } = (await system.createHook(w, url)).subscription!;
  const reason = { workspaceId: w, subscriptionId, reason: "gone", destinationRevision: 1 };
  await system.subscriptions.disableSubscription(reason);
  expect(last()).toMatchObject({ webhook: { revision: 2, status: "disabled", statusReason: "gone" } });
  expect(last().intervals).toMatchObject([{ endedAt: expect.anything() }]);
});

test("changes of feeds are not handed over, and do not wait for delivery", async () => {
  system.delivery.isAway = true;
  const { subscriptionId } = (await system.createHook(w)).subscription!;
  await system.subscriptions.updateSubscription({ subscriptionId, status: "paused" }, system.as(w));
  await system.subscriptions.deleteSubscription({ subscriptionId }, system.as(w));
  expect(pushed()).toEqual([]);
});

test("what is published on the bus has neither address nor secret", async () => {
  await system.createHook(w, "https://example.com/hidden");
  const changes = (await system.published(w)).flatMap(({ body }) => (isChange(body) ? [body.value] : []));
  expect(changes).toMatchObject([{ status: "active", revision: 1n, intervals: [] }]);
  expect(changes[0]!.webhook).toBeUndefined();
});

test("while delivery is away a webhook is not created and no secret replaced, since nobody would see it", async () => {
  system.delivery.isAway = true;
  const refused = await refusal(system.createHook(w, url));
  expect(refused).toMatchObject({ code: "service_unavailable", details: { part: "delivery" } });
  expect((await system.subscriptions.listSubscriptions({}, system.as(w))).subscriptions).toEqual([]);

  system.delivery.isAway = false;
  const { subscriptionId } = (await system.createHook(w, url)).subscription!;
  const before = last().webhook!.revision;
  system.delivery.isAway = true;
  expect(await refusal(system.subscriptions.rotateSecret({ subscriptionId }, system.as(w)))).toMatchObject({
    code: "service_unavailable",
  });
  expect((await asked()).webhooks).toMatchObject([{ revision: before }]);
});

test("while delivery is away an update and a deletion are stored, refused for now, and in effect when repeated", async () => {
  const { subscriptionId } = (await system.createHook(w, url)).subscription!;
  const keyed = (key: string) =>
    callOptions({ signedCaller: signedPerson({ workspaceId: w }), idempotency: idempotency(key, {}) });
  const pause = () => system.subscriptions.updateSubscription({ subscriptionId, status: "paused" }, keyed("pause"));
  system.delivery.isAway = true;
  const refused = await refusal(pause());
  expect(refused).toMatchObject({ code: "service_unavailable", details: { part: "delivery" } });
  expect((await asked()).webhooks).toMatchObject([{ revision: 2, status: "paused" }]);
  system.delivery.isAway = false;
  expect(await pause()).toMatchObject({ subscription: { status: "paused" } });
  expect(last()).toMatchObject({ webhook: { revision: 2, status: "paused" } });

  const remove = () => system.subscriptions.deleteSubscription({ subscriptionId }, keyed("delete"));
  system.delivery.isAway = true;
  expect(await refusal(remove())).toMatchObject({ code: "service_unavailable" });
  system.delivery.isAway = false;
  await remove();
  expect(last()).toMatchObject({ subscriptionId, status: "deleted" });
});

test("BatchGetWebhooks returns webhooks and plan changes of each workspace, of ten at most", async () => {
  const other = newWorkspace();
  await system.createHook(other, url);
  await system.createHook(w, url);
  system.clock.advance(1000);
  await system.handOver([planChange(w, "free", system.clock.now())], "plans");
  const { workspaces } = await system.subscriptions.batchGetWebhooks({ workspaceIds: [other, w, "absent"] });
  expect(workspaces.map(({ webhooks, planChanges }) => [webhooks.length, planChanges.length])).toEqual([
    [1, 0],
    [1, 1],
    [0, 0],
  ]);
  const tooMany = Array.from({ length: 11 }, () => w);
  expect(await refusal(system.subscriptions.batchGetWebhooks({ workspaceIds: tooMany }))).toMatchObject({
    code: "invalid_request",
  });
});

test("BatchGetWebhooks leaves out no interval that lasts, however many newer ones have ended", async () => {
  const create = async (name: string) => (await system.createHook(w, `${url}/${name}`)).subscription!.subscriptionId;
  const [lasting, changed] = [await create("lasting"), await create("changed")];
  await system.sql(
    `INSERT INTO listening_intervals (workspace_id, interval_id, subscription_id, event_types, started_at, ended_at)
     SELECT $1, 'interval' || n, $2, '{response.completed}', at, at + interval '1 ms'
     FROM generate_series(1, 1100) AS n, LATERAL (SELECT $3::timestamptz + n * interval '1 ms' AS at) AS times`,
    [w, changed, system.clock.now()],
  );
  const { intervals } = await asked();
  expect(intervals).toHaveLength(1000);
  const open = intervals.filter(({ endedAt }) => endedAt === undefined);
  expect(new Set(open.map(({ subscriptionId }) => subscriptionId))).toEqual(new Set([lasting, changed]));
});
