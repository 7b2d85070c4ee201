import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { includesWebhooks, plans } from "@canvass/access";
import type { Event } from "@canvass/proto/events";
import fc from "fast-check";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { completion, planChange, startWebhookSystem } from "./webhook-system.ts";

let counter = 0;

const system = await sharedByFile(startWebhookSystem());
beforeEach(() => {
  Object.assign(system.tokens, { pending: [], away: false });
});

async function subscribed(): Promise<{ w: string; subscriptionId: string; at: (ms: number) => Date }> {
  const w = `workspace${String((counter += 1)).padStart(7, "0")}`;
  const begun = system.clock.now().getTime();
  await system.subscriptions.createSubscription({ name: "Feed" }, system.as(w));
  const created = await system.subscriptions.createSubscription(
    { name: "Hook", url: "https://example.com/" },
    system.as(w),
  );
  // Changes ahead of the clock are repaired when this machine's clock is set back.
  system.clock.advance(20_000);
  return { w, subscriptionId: created.subscription!.subscriptionId, at: (ms) => new Date(begun + ms) };
}

const publish = (...changes: Event[]) => system.handOver(changes, "plans");

const feedOf = async (w: string) =>
  (await system.feed.listEvents({ cursor: "", limit: 100 }, system.as(w))).events.map(({ eventId }) => eventId);

async function listened(w: string, times: readonly Date[]): Promise<Date[]> {
  const events = times.map((time) => ({
    workspaceId: w,
    type: "response.completed",
    occurredAt: timestampFromDate(time),
  }));
  const { matches } = await system.subscriptions.batchMatchWebhooks({ events });
  return times.filter((_, index) => matches[index]!.subscriptionIds.length > 0);
}

const endpointOf = async (workspaceId: string, subscriptionId: string) =>
  (await system.subscriptions.batchGetEndpoints({ endpoints: [{ workspaceId, subscriptionId }] })).endpoints[0]!;

test("without the plan events are neither kept nor matched; from the moment it is back they are", async () => {
  const { w, at } = await subscribed();
  await publish(planChange(w, "free", at(1000)), planChange(w, "professional", at(3000)));
  const times = [999, 1000, 2999, 3000].map(at);
  expect(await listened(w, times)).toEqual([at(999), at(3000)]);
  const events = times.map((time) => completion(w, time));
  // Settled, although not stored.
  expect(await system.handOver(events)).toHaveLength(4);
  expect(await feedOf(w)).toEqual([events[0]!.eventId, events[3]!.eventId]);
});

test("a late change of plan counts from its own time, not its arrival", async () => {
  const { w, at } = await subscribed();
  await publish(planChange(w, "enterprise", at(2000)));
  expect(await listened(w, [at(500), at(1500), at(2500)])).toEqual([at(500), at(1500), at(2500)]);
  await publish(planChange(w, "starter", at(1000)));
  expect(await listened(w, [at(500), at(1500), at(2500)])).toEqual([at(500), at(2500)]);
});

test("a change of plan of one workspace is none of another", async () => {
  const [one, other] = [await subscribed(), await subscribed()];
  await publish(planChange(one.w, "free", one.at(0)));
  expect(await listened(one.w, [one.at(1)])).toEqual([]);
  expect(await listened(other.w, [other.at(1)])).toEqual([other.at(1)]);
});

test("in any order and with repetitions, the last change of plan until a moment counts", async () => {
  const changes = fc.uniqueArray(
    fc.record({ second: fc.integer({ min: 1, max: 12 }), plan: fc.constantFrom(...Object.keys(plans)) }),
    { selector: ({ second }) => second, maxLength: 6 },
  );
  const changeLists = changes.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
      fc.integer({ min: 1, max: 4 }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(changeLists, async ([all, inOrder, batch]) => {
      const { w, at } = await subscribed();
      const events = inOrder.map(({ second, plan }) => planChange(w, plan, at(second * 1000)));
      for (let start = 0; start < events.length; start += batch) await publish(...events.slice(start, start + batch));
      const times = Array.from({ length: 14 }, (_, second) => at(second * 1000));
      const expected = times.filter((_, second) => {
        const last = all.filter((change) => change.second <= second).sort((a, b) => b.second - a.second)[0];
        return last === undefined || includesWebhooks(last.plan);
      });
      expect(await listened(w, times)).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

test("an event that overtakes the change of its plan is judged with it", async () => {
  const { w, subscriptionId, at } = await subscribed();
  await publish(planChange(w, "free", at(1000)));
  system.tokens.pending.push(planChange(w, "professional", at(2000)));
  const times = [1999, 2000, 2001].map(at);
  const events = times.map((time) => completion(w, time));
  expect(await system.handOver(events)).toHaveLength(3);
  expect(await feedOf(w)).toEqual([events[1]!.eventId, events[2]!.eventId]);
  expect(await listened(w, times)).toEqual([at(2000), at(2001)]);
  expect(await endpointOf(w, subscriptionId)).toMatchObject({ status: "active" });
});

test("while the token service is away, what only the plan withholds is undecided, and nothing else waits for it", async () => {
  const [one, other] = [await subscribed(), await subscribed()];
  await publish(planChange(one.w, "free", one.at(1000)));
  const back = planChange(one.w, "professional", one.at(2000));
  const [before, overtaking] = [completion(one.w, one.at(999)), completion(one.w, one.at(2001))];
  const foreign = completion(other.w, other.at(2001));
  system.tokens.away = true;
  const settled = [before, foreign].map(({ eventId }) => eventId);
  expect(await system.handOver([before, overtaking, foreign])).toEqual(settled);
  const occurred = [before, overtaking, foreign].map(({ workspaceId, occurredAt }) => {
    return { workspaceId, type: "response.completed", occurredAt: occurredAt! };
  });
  const { matches } = await system.subscriptions.batchMatchWebhooks({ events: occurred });
  expect(matches.map(({ subscriptionIds, undecided }) => [subscriptionIds.length, undecided])).toEqual([
    [1, false],
    [0, true],
    [1, false],
  ]);
  expect(await endpointOf(one.w, one.subscriptionId)).toMatchObject({ status: "undecided", url: "", secrets: [] });
  await publish(back);
  expect(await system.handOver([overtaking])).toEqual([overtaking.eventId]);
  expect(await feedOf(one.w)).toEqual([before.eventId, overtaking.eventId]);
});

test("the token service is not asked for a workspace that listens to nothing, or has the plan", async () => {
  const { w, at } = await subscribed();
  const asked = system.tokens.asked;
  await system.handOver([completion(w, at(1)), completion("workspacewithout", at(1))]);
  await listened(w, [at(1)]);
  expect(system.tokens.asked).toBe(asked);
});

test("however changes and events overtake each other, each event of a plan with webhooks is kept, and no other that came behind its changes", async () => {
  const second = fc.integer({ min: 1, max: 12 });
  const changes = fc.uniqueArray(fc.record({ second, plan: fc.constantFrom(...Object.keys(plans)) }), {
    selector: (change) => change.second,
    maxLength: 5,
  });
  const steps = fc.array(fc.oneof(fc.nat(4), fc.constantFrom("events" as const, "away" as const)), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(changes, fc.array(second, { maxLength: 6 }), steps, async (all, seconds, taken) => {
      const { w, at } = await subscribed();
      const events = seconds.map((each) => completion(w, at(each * 1000)));
      const waiting = new Set(events);
      const cameBehind = new Set<string>();
      const onTheirWay = all.map(({ second: each, plan }) => planChange(w, plan, at(each * 1000)));
      const handOver = async () => {
        system.tokens.pending = [...onTheirWay];
        const stored = await system.handOver([...waiting]);
        for (const event of waiting) {
          if (!stored.includes(event.eventId)) continue;
          waiting.delete(event);
          if (onTheirWay.length === 0) cameBehind.add(event.eventId);
        }
      };
      for (const step of taken) {
        if (step === "away") system.tokens.away = !system.tokens.away;
        else if (step === "events") await handOver();
        else await publish(...onTheirWay.splice(step, 1));
      }
      system.tokens.away = false;
      await handOver();
      expect(waiting.size).toBe(0);
      const kept = events.filter((_, index) => {
        const until = all.filter((change) => change.second <= seconds[index]!).sort((a, b) => b.second - a.second);
        return until.length === 0 || includesWebhooks(until[0]!.plan);
      });
      const [found, expected] = [await feedOf(w), kept.map(({ eventId }) => eventId)];
      expect(found).toEqual(expect.arrayContaining(expected));
      expect(found.filter((eventId) => cameBehind.has(eventId) && !expected.includes(eventId))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("endpoints are locked, without address and secrets, while the plan has no webhooks", async () => {
  const { w, subscriptionId, at } = await subscribed();
  expect(await endpointOf(w, subscriptionId)).toMatchObject({ status: "active", url: "https://example.com/" });
  await publish(planChange(w, "free", at(1)));
  expect(await endpointOf(w, subscriptionId)).toMatchObject({ status: "locked", url: "", secrets: [] });
  const { subscription } = await system.subscriptions.getSubscription(
    { subscriptionId },
    system.as(w, { plan: "free" }),
  );
  expect(subscription).toMatchObject({ status: "active" });
  await publish(planChange(w, "professional", at(2)));
  expect(await endpointOf(w, subscriptionId)).toMatchObject({ status: "active", secrets: [expect.any(String)] });
  await system.subscriptions.deleteSubscription({ subscriptionId }, system.as(w, { plan: "free" }));
  await publish(planChange(w, "free", at(3)));
  expect(await endpointOf(w, subscriptionId)).toMatchObject({ status: "absent" });
});
