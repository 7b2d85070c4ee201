import type { FeedEvent } from "@canvass/proto/webhook";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { completion, refusal, startWebhookSystem } from "./webhook-system.ts";

const DAY_MS = 86_400_000;
let counter = 0;
const workspace = (): string => `workspace${String((counter += 1)).padStart(7, "0")}`;

const system = await sharedByFile(startWebhookSystem());

/** A workspace with a feed. */
async function listeningWorkspace(): Promise<string> {
  const w = workspace();
  await system.subscriptions.createSubscription({ name: "Feed" }, system.as(w));
  return w;
}

const page = (w: string, cursor = "", limit = 100) => system.feed.listEvents({ cursor, limit }, system.as(w));
const completions = (w: string, count: number) =>
  Array.from({ length: count }, () => completion(w, system.clock.now()));
const ids = (events: { eventId: string }[]) => events.map(({ eventId }) => eventId);

test("events are shown as webhooks show them, oldest first, page by page", async () => {
  const w = await listeningWorkspace();
  const events = completions(w, 5);
  expect(new Set(await system.handOver(events))).toEqual(new Set(ids(events)));
  const first = await page(w, "", 2);
  expect(ids(first.events)).toEqual(ids(events.slice(0, 2)));
  expect(first).toMatchObject({ hasMore: true, nextCursor: first.events[1]?.cursor });
  const body = events[0]!.body;
  if (body.case !== "responseCompleted") throw new Error("not a completion");
  expect(first.events[0]).toMatchObject({ type: "response.completed", timestamp: body.value.timestamp });
  expect(JSON.parse(first.events[0]!.dataJson)).toEqual({
    workspace_id: w,
    survey_id: "survey",
    response_id: body.value.responseId,
    completed_at: body.value.completedAt,
  });
  const second = await page(w, first.nextCursor, 2);
  const third = await page(w, second.nextCursor, 2);
  expect(ids([...second.events, ...third.events])).toEqual(ids(events.slice(2)));
  expect([second.hasMore, third.hasMore]).toEqual([true, false]);
  const end = await page(w, third.nextCursor, 2);
  expect(end).toMatchObject({ events: [], hasMore: false, nextCursor: third.nextCursor });
  // Every event's cursor continues after it.
  expect(ids((await page(w, first.events[0]!.cursor)).events)).toEqual(ids(events.slice(1)));
});

test("a page that is just full has more", async () => {
  const w = await listeningWorkspace();
  await system.handOver(completions(w, 2));
  const full = await page(w, "", 2);
  expect(full).toMatchObject({ hasMore: true, nextCursor: full.events[1]?.cursor });
  expect(await page(w, full.nextCursor, 2)).toMatchObject({ events: [], hasMore: false, nextCursor: full.nextCursor });
});

test("an empty feed gives a cursor to go on from", async () => {
  const w = await listeningWorkspace();
  const empty = await page(w);
  expect(empty).toMatchObject({ events: [], hasMore: false });
  const events = completions(w, 1);
  await system.handOver(events);
  expect(ids((await page(w, empty.nextCursor)).events)).toEqual(ids(events));
});

test("an event is stored only if a subscription listened when it happened", async () => {
  const w = workspace();
  const before = completion(w, system.clock.now());
  system.clock.advance(1000);
  const { subscription } = await system.subscriptions.createSubscription(
    { name: "Hook", url: "https://example.com/" },
    system.as(w),
  );
  const during = completion(w, system.clock.now());
  system.clock.advance(1000);
  await system.subscriptions.deleteSubscription({ subscriptionId: subscription!.subscriptionId }, system.as(w));
  const after = completion(w, system.clock.now());
  // The time of the event counts, not its arrival. All are settled, stored or not.
  expect(await system.handOver([before, during, after])).toHaveLength(3);
  expect(ids((await page(w)).events)).toEqual([during.eventId]);
});

test("an event that comes again, in any batch, stands in the feed once", async () => {
  const w = await listeningWorkspace();
  const events = completions(w, 40);
  await Promise.all([
    system.handOver([...events, ...events]),
    system.handOver(events.toReversed()),
    ...events.map((event) => system.handOver([event])),
  ]);
  const { events: shown } = await page(w);
  expect(new Set(ids(shown))).toEqual(new Set(ids(events)));
  expect(shown).toHaveLength(40);
});

test("positions have no gap and never run ahead of what is readable, with many writers", async () => {
  const workspaces = await Promise.all(Array.from({ length: 4 }, listeningWorkspace));
  const seen = new Map<string, FeedEvent[]>(workspaces.map((w) => [w, []]));
  let writing = true;
  const readers = workspaces.map(async (w) => {
    let cursor = "";
    for (;;) {
      const last = !writing;
      const { events, nextCursor } = await page(w, cursor, 7);
      seen.get(w)!.push(...events);
      cursor = nextCursor;
      if (last && events.length === 0) return;
    }
  });
  const batches = Array.from({ length: 60 }, (_, i) =>
    // Each batch mixes workspaces, in different orders.
    (i % 2 ? workspaces : workspaces.toReversed()).flatMap((w) => completions(w, 1 + (i % 3))),
  );
  await Promise.all(
    Array.from({ length: 12 }, async (_, writer) => {
      for (let i = writer; i < batches.length; i += 12) await system.handOver(batches[i]!);
    }),
  );
  writing = false;
  await Promise.all(readers);
  for (const w of workspaces) {
    const published = batches.flat().filter(({ workspaceId }) => workspaceId === w);
    expect(seen.get(w)).toHaveLength(published.length);
    expect(new Set(ids(seen.get(w)!))).toEqual(new Set(ids(published)));
    const rows = await system.sql("SELECT position FROM feed_events WHERE workspace_id = $1 ORDER BY position", [w]);
    expect(rows.map(({ position }) => Number(position))).toEqual(published.map((_, index) => index + 1));
  }
});

test("a mangled cursor, one of another workspace, and a limit out of range are refused together", async () => {
  const [w, v] = [await listeningWorkspace(), await listeningWorkspace()];
  await system.handOver(completions(w, 2));
  const { nextCursor } = await page(w, "", 1);
  const flipped = `${nextCursor.slice(0, -1)}${nextCursor.endsWith("A") ? "B" : "A"}`;
  for (const cursor of ["1", "nonsense", flipped, `${nextCursor}A`, nextCursor.slice(1), "\0", "x".repeat(10_000)]) {
    expect(await refusal(page(w, cursor))).toMatchObject({
      code: "validation_failed",
      details: { cursor: [expect.any(String)] },
    });
  }
  expect(await refusal(page(v, nextCursor))).toMatchObject({ code: "validation_failed" });
  for (const limit of [0, 101]) {
    expect(Object.keys((await refusal(page(w, "bad", limit))).details)).toEqual(["limit", "cursor"]);
  }
});

test("a plan without webhooks has no feed", async () => {
  const w = await listeningWorkspace();
  const call = system.feed.listEvents({ limit: 1 }, system.as(w, { plan: "starter" }));
  expect(await refusal(call)).toMatchObject({ code: "feature_locked", details: { required_plan: "professional" } });
});

test("after thirty days events are gone; an older cursor goes on at the oldest that is left", async () => {
  const w = await listeningWorkspace();
  await system.handOver(completions(w, 500));
  await system.handOver(completions(w, 500));
  await system.handOver(completions(w, 500));
  const { nextCursor: old } = await page(w, "", 1);
  system.clock.advance(29 * DAY_MS);
  const young = completions(w, 3);
  await system.handOver(young);
  expect((await page(w, old, 1)).events).not.toEqual([]);
  system.clock.advance(DAY_MS + 1);
  const left = await waitFor(
    async () => {
      const { events } = await page(w, old);
      return events.length === 3 ? events : undefined;
    },
    { describe: "the purge" },
  );
  expect(ids(left)).toEqual(ids(young));
  // Positions continue.
  const next = completions(w, 1);
  await system.handOver(next);
  expect(ids((await page(w, left[2]!.cursor)).events)).toEqual(ids(next));
});
