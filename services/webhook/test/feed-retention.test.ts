import { sqlFromPg } from "@canvass/postgres";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { insertFeedEntries, purgeFeed } from "../src/storage/feed.ts";
import { completion, newWorkspace as workspace, planChange, startWebhookSystem } from "./webhook-system.ts";

const DAY = 86_400_000;

const system = await sharedByFile(startWebhookSystem());

const entries = (workspaceId: string, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const eventId = `${workspaceId} ${from + index}`;
    return { workspaceId, eventId, type: "response.completed", timestamp: "2026-01-01T00:00:00.000Z", dataJson: "{}" };
  });

const positions = async (w: string) =>
  (
    await system.sql<{ position: string }>("SELECT position FROM feed_events WHERE workspace_id = $1 ORDER BY 1", [w])
  ).map(({ position }) => Number(position));

test("the purge takes a feed from its beginning, whatever the clocks of its writers said", async () => {
  const sql = sqlFromPg(system.pool);
  const [w, v] = [workspace(), workspace()];
  const start = system.clock.now().getTime() - 40 * DAY;
  // Writers whose clocks are an hour apart, in turns.
  for (let batch = 0; batch < 40; batch += 1) {
    const at = new Date(start + batch * 1000 + (batch % 2) * 3_600_000);
    await insertFeedEntries(sql, [...entries(w, batch * 5, 5), ...entries(v, batch * 3, 3)], at);
  }
  const left = [200, 120];
  for (;;) {
    const deleted = await purgeFeed(sql, new Date(start + 3_600_000 + 20_000), 7);
    const kept = [await positions(w), await positions(v)];
    // No gap, at any moment, and always up to the newest.
    for (const [index, own] of kept.entries()) {
      const last = [200, 120][index]!;
      expect(own).toEqual(Array.from({ length: own.length }, (_, place) => last - own.length + 1 + place));
      expect(own.length).toBeLessThanOrEqual(left[index]!);
      left[index] = own.length;
    }
    if (deleted < 7) break;
  }
  expect(left[0]).toBeLessThan(200);
});

test("more feeds than one purge looks at are purged by turns, and rest until they have something old", async () => {
  const sql = sqlFromPg(system.pool);
  const feeds = Array.from({ length: 45 }, workspace);
  const stored = system.clock.now().getTime() - 20 * DAY;
  await insertFeedEntries(
    sql,
    feeds.flatMap((w) => entries(w, 0, 3)),
    new Date(stored),
  );
  const young = feeds.slice(0, 5);
  await insertFeedEntries(
    sql,
    young.flatMap((w) => entries(w, 3, 2)),
    new Date(stored + DAY),
  );
  const purgeAll = async (at: number) => {
    let rounds = 1;
    while ((await purgeFeed(sql, new Date(at), 100)) === 100) rounds += 1;
    return rounds;
  };
  await purgeAll(stored + 1);
  const kept = await Promise.all(feeds.map(positions));
  expect(kept).toEqual(feeds.map((w) => (young.includes(w) ? [4, 5] : [])));
  expect(await purgeAll(stored + 2)).toBe(1);
  await purgeAll(stored + DAY + 1);
  expect(await Promise.all(feeds.map(positions))).toEqual(feeds.map(() => []));
});

test("a reader meets no gap while the purge runs, and goes on at the oldest event that is kept", async () => {
  const w = workspace();
  await system.createHook(w);
  const old = Array.from({ length: 3000 }, () => completion(w, system.clock.now()));
  for (let start = 0; start < old.length; start += 500) await system.handOver(old.slice(start, start + 500));
  system.clock.advance(30 * DAY + 1);
  const young = Array.from({ length: 50 }, () => completion(w, system.clock.now()));
  await system.handOver(young);
  const oldest = async () =>
    (await system.feed.listEvents({ cursor: "", limit: 100 }, system.as(w))).events.map(({ eventId }) => eventId);
  const order = [...old, ...young].map(({ eventId }) => eventId);
  await waitFor(
    async () => {
      const page = await oldest();
      const first = order.indexOf(page[0]!);
      expect(page).toEqual(order.slice(first, first + page.length));
      return first === old.length;
    },
    { describe: "the purge" },
  );
  expect(await oldest()).toEqual(young.map(({ eventId }) => eventId));
});

test("plan changes leave thirty days after they were superseded; the present one stays", async () => {
  const w = workspace();
  const changes = ["free", "enterprise", "free", "professional"].map((plan) => {
    system.clock.advance(1000);
    return planChange(w, plan, system.clock.now());
  });
  // In any order.
  await system.handOver([changes[2]!, changes[0]!], "plans");
  await system.handOver([changes[3]!, changes[1]!, changes[0]!], "plans");
  const kept = async () =>
    (
      await system.sql<{ at: Date }>("SELECT changed_at AS at FROM plan_changes WHERE workspace_id = $1 ORDER BY 1", [
        w,
      ])
    ).length;
  system.clock.advance(30 * DAY - 999);
  await waitFor(async () => (await kept()) === 2, { describe: "the first two to leave" });
  system.clock.advance(100 * DAY);
  await waitFor(async () => (await kept()) === 1, { describe: "the third to leave" });
  const [row] = await system.sql("SELECT has_webhooks, ended_at FROM plan_changes WHERE workspace_id = $1", [w]);
  expect(row).toEqual({ has_webhooks: true, ended_at: null });
});

test("a page reads as many blocks of a long feed as of a short one, wherever it stands", async () => {
  const [short, long] = [workspace(), workspace()];
  const fill = (w: string, count: number) =>
    system.sql(
      `INSERT INTO feed_events SELECT $1, n, $1 || n, 'response.completed', '', '{}', $3 FROM generate_series(1, $2::int) AS n`,
      [w, count, system.clock.now()],
    );
  await fill(short, 200);
  await fill(long, 100_000);
  await system.sql("VACUUM ANALYZE feed_events");
  const blocks = async (w: string, after: number) => {
    const [{ "QUERY PLAN": plan }] = (await system.sql(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON)
       SELECT workspace_id, position, event_id, type, timestamp, data
       FROM feed_events WHERE workspace_id = '${w}' AND position > ${after} ORDER BY position LIMIT 100`,
    )) as [{ "QUERY PLAN": { Plan: Record<string, number> }[] }];
    const { Plan } = plan[0]!;
    expect(Plan["Actual Rows"]).toBe(100);
    return Plan["Shared Hit Blocks"]! + Plan["Shared Read Blocks"]!;
  };
  const least = await blocks(short, 0);
  for (const after of [0, 50_000, 99_900]) expect(await blocks(long, after)).toBeLessThanOrEqual(least + 4);
});
