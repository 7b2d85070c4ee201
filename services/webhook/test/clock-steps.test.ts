import { waitFor } from "@canvass/testing";
import { idempotency } from "@canvass/service/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { completion, newWorkspace, startWebhookSystem, type WebhookSystem } from "./webhook-system.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let system: WebhookSystem;

beforeAll(async () => {
  system = await startWebhookSystem();
});
afterAll(() => system[Symbol.asyncDispose]());

const back = (ms: number) => system.clock.set(new Date(system.clock.now().getTime() - ms));
const page = async (w: string, cursor = "") => system.feed.listEvents({ cursor, limit: 100 }, system.as(w));
const idsOf = (events: { eventId: string }[]) => events.map(({ eventId }) => eventId);

/** Waits until nothing began or ended in the future. */
const repaired = () =>
  waitFor(
    async () => {
      const ahead = `SELECT subscription_id FROM listening_intervals WHERE started_at > $1 OR ended_at > $1
        UNION ALL SELECT subscription_id FROM subscriptions WHERE updated_at > $1`;
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
