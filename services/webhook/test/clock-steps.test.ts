import { waitFor } from "@canvass/testing";
import { idempotency } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { repairPlanChanges } from "@canvass/plan-history";
import { completion, newWorkspace, planChange, startWebhookSystem } from "./webhook-system.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const system = await sharedByFile(startWebhookSystem());

const back = (ms: number) => system.clock.set(new Date(system.clock.now().getTime() - ms));
const page = async (w: string, cursor = "") => system.feed.listEvents({ cursor, limit: 100 }, system.as(w));
const idsOf = (events: { eventId: string }[]) => events.map(({ eventId }) => eventId);

/** Waits until nothing began or ended in the future. */
const repaired = () =>
  waitFor(
    async () => {
      const ahead = `SELECT subscription_id FROM listening_intervals WHERE started_at > $1 OR ended_at > $1
        UNION ALL SELECT subscription_id FROM subscriptions WHERE updated_at > $1
        UNION ALL SELECT workspace_id FROM plan_changes WHERE changed_at > $1`;
      return (await system.sql(ahead, [system.clock.now()])).length === 0;
    },
    { describe: "the repair" },
  );

test("who subscribed, paused or resumed while the clock was an hour ahead does so at once when it is set back", async () => {
  const w = newWorkspace();
  const create = async (name: string) => (await system.createHook(w, `https://example.com/${name}`)).subscription!;
  const pausing = (await create("pausing")).subscriptionId;
  const resuming = (await create("resuming")).subscriptionId;
  const patch = (subscriptionId: string, status: string) =>
    system.subscriptions.updateSubscription({ subscriptionId, status }, system.as(w));
  await patch(resuming, "paused");
  system.clock.advance(HOUR);
  await patch(pausing, "paused");
  await patch(resuming, "active");
  const created = (await create("created")).subscriptionId;
  back(HOUR);
  await repaired();
  system.clock.advance(1000);
  expect(new Set(await system.listening(w, system.clock.now()))).toEqual(new Set([resuming, created]));
  // Later changes take effect at once, too.
  await patch(created, "paused");
  await patch(pausing, "active");
  system.clock.advance(1);
  expect(new Set(await system.listening(w, system.clock.now()))).toEqual(new Set([resuming, pausing]));
});

test("a plan that was changed while the clock was an hour ahead holds at once when it is set back", async () => {
  const [gains, loses] = [newWorkspace(), newWorkspace()];
  const change = (w: string, plan: string) => system.handOver([planChange(w, plan, system.clock.now())], "plans");
  const listening = async (w: string) => (await system.listening(w, system.clock.now())).length;
  for (const w of [gains, loses]) await system.createHook(w, "https://example.com/hook");
  system.clock.advance(1000);
  await change(gains, "free");
  system.clock.advance(HOUR);
  // Makes the service read its clock while it is ahead.
  await system.createHook(newWorkspace());
  // Of several changes the last one holds.
  for (const [w, plan] of [
    [gains, "free"],
    [loses, "professional"],
    [gains, "professional"],
    [loses, "free"],
  ] as const) {
    await change(w, plan);
    system.clock.advance(1);
  }
  back(HOUR);
  await repaired();
  expect(await Promise.all([gains, loses].map(listening))).toEqual([1, 0]);
  // Later changes take effect at once, too.
  system.clock.advance(1);
  await change(gains, "free");
  await change(loses, "professional");
  expect(await Promise.all([gains, loses].map(listening))).toEqual([0, 1]);
  const ends = await system.sql(
    `SELECT count(*)::int4 AS open FROM plan_changes WHERE workspace_id = ANY ($1) AND (ended_at IS NULL OR ended_at > $2)`,
    [[gains, loses], system.clock.now()],
  );
  expect(ends).toEqual([{ open: 2 }]);
});

test("the last of a workspace's plans holds, whether the clock was much or little ahead for the others", async () => {
  const w = newWorkspace();
  const now = system.clock.now();
  const at = (ms: number) => new Date(now.getTime() + ms);
  await system.handOver([planChange(w, "professional", at(5_000)), planChange(w, "free", at(HOUR))], "plans");
  await repairPlanChanges({ query: system.sql }, now, at(10_000));
  expect(
    await system.sql(`SELECT changed_at, has_webhooks, ended_at FROM plan_changes WHERE workspace_id = $1`, [w]),
  ).toEqual([{ changed_at: now, has_webhooks: false, ended_at: null }]);
});

test("a repair of plans that broke off between its statements is ended by the next", async () => {
  const w = newWorkspace();
  await system.handOver([planChange(w, "free", system.clock.now())], "plans");
  const later = new Date(system.clock.now().getTime() + HOUR);
  await system.sql("UPDATE plan_changes SET ended_at = $2 WHERE workspace_id = $1", [w, later]);
  await repairPlanChanges({ query: system.sql }, system.clock.now(), system.clock.now());
  expect(await system.sql("SELECT ended_at FROM plan_changes WHERE workspace_id = $1", [w])).toEqual([
    { ended_at: null },
  ]);
});

test("a reader of the feed misses nothing and meets nothing twice while the clock steps", async () => {
  const w = newWorkspace();
  await system.createHook(w);
  const order: string[] = [];
  const read: string[] = [];
  let cursor = "";
  for (const step of [0, HOUR, -HOUR, HOUR, -HOUR]) {
    system.clock.set(new Date(system.clock.now().getTime() + step));
    const events = Array.from({ length: 3 }, () => completion(w, system.clock.now()));
    for (const event of events) await system.handOver([event]);
    order.push(...idsOf(events));
    const { events: found, nextCursor } = await page(w, cursor);
    read.push(...idsOf(found));
    cursor = nextCursor;
  }
  expect(read).toEqual(order);
  expect(idsOf((await page(w)).events)).toEqual(order);
});

test("an idempotency key is replayed while the clock steps, and free again a day after its answer", async () => {
  const w = newWorkspace();
  const patch = async (subscriptionId: string, name: string) => {
    const given = idempotency("key", { name: "Once" }, { answeredAt: system.clock.now() });
    const options = system.as(w, { idempotency: given });
    const { subscription } = await system.subscriptions.updateSubscription({ subscriptionId, name }, options);
    return subscription!.name;
  };
  const id = (await system.createHook(w)).subscription!.subscriptionId;
  expect(await patch(id, "Once")).toBe("Once");
  for (const step of [HOUR, -2 * HOUR, HOUR, DAY - 1]) {
    system.clock.set(new Date(system.clock.now().getTime() + step));
    expect(await patch(id, "Twice")).toBe("Once");
  }
  system.clock.advance(1);
  expect(await patch(id, "Twice")).toBe("Twice");
});
