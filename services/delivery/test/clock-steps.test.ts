import { sqlFromPg } from "@canvass/postgres";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clockRepairs } from "../src/clock-repairs.ts";
import { standardWaits } from "../src/domain/retry-schedule.ts";
import { findNextDueTime } from "../src/storage/pick-endpoints.ts";
import { recordAttempts } from "../src/storage/record-attempts.ts";
import { endedAttempt, later, now, openDeliveryTables, type DeliveryTables } from "./delivery-tables.ts";
import { completion, planChange, startDeliverySystem, type DeliverySystem } from "./delivery-system.ts";

const HOUR = 3_600_000;
const ahead = (ms: number) => later(HOUR + ms);
const anHourAhead = (ms: number) => ({ now: ahead(ms), leaseUntil: ahead(ms + 20_000) });

let tables: DeliveryTables;
let system: DeliverySystem;

beforeAll(async () => {
  tables = await openDeliveryTables();
  system = await startDeliverySystem();
});
afterAll(async () => {
  await system?.[Symbol.asyncDispose]();
  await tables?.[Symbol.asyncDispose]();
});

test("leases, retries and picks of a clock an hour ahead do not wait for that hour once it is set back", async () => {
  const sql = sqlFromPg(tables.pool);
  await tables.queue("w", "begun", 1);
  await tables.queue("w", "retried", 1);
  const claimed = await tables.begin(anHourAhead(0));
  const of = (id: string) => claimed.filter(({ subscriptionId }) => subscriptionId === id);
  const [failed] = of("retried");
  const record = endedAttempt(failed!, "http_error", ahead(1));
  await recordAttempts(sql, [{ ...record, next: { ...record.next, dueAt: ahead(30_000) } }], ahead(1));
  await tables.queue("w", "new", 1, ahead(2));
  expect(await tables.begin({ now: later(60_000), leaseUntil: later(80_000) })).toEqual([]);

  for (const { repair } of clockRepairs(standardWaits)) await repair(sql, now, tables.pool);
  const rows = await sql.query(
    `SELECT subscription_id AS id, due_at AS due, begun_at AS begun FROM due_deliveries ORDER BY 1`,
  );
  expect(rows).toEqual([
    { id: "begun", due: later(20_000), begun: now },
    { id: "new", due: now, begun: null },
    { id: "retried", due: later(33_000), begun: null },
  ]);
  expect(await findNextDueTime(sql)).toEqual(now);
  const claim = async (ms: number) =>
    (await tables.begin({ now: later(ms), leaseUntil: later(ms + 20_000) })).map((one) => one.subscriptionId).sort();
  expect(await claim(0)).toEqual(["new"]);
  expect(await claim(20_000)).toEqual(["begun", "new"]);
  expect(await claim(33_000)).toEqual(["retried"]);
  const picks = await sql.query<{ ahead: number }>(
    "SELECT count(*)::int AS ahead FROM endpoint_queues WHERE claimed_at > $1",
    [later(33_000)],
  );
  expect(picks).toEqual([{ ahead: 0 }]);
});

test("what failed while the clock was an hour ahead is retried in its time after it is set back, once", async () => {
  const { clock } = system;
  const start = clock.now();
  const endpoint = system.addEndpoint();
  system.receiver.answer(500);
  clock.advance(HOUR);
  await system.publishCompletion(endpoint);
  await waitFor(async () => (await system.list(endpoint))[0]?.attempts.length === 1, { describe: "the first attempt" });
  system.receiver.answer(204);
  clock.set(start);
  const due = async () =>
    (await system.sql<{ at: Date }>("SELECT scheduled_at AS at FROM due_deliveries"))[0]?.at.getTime();
  await waitFor(async () => ((await due()) ?? 0) <= start.getTime() + 33_000, { describe: "the repair" });
  clock.advance(33_000);
  await waitFor(async () => (await system.list(endpoint))[0]?.status === "delivered", { describe: "the retry" });
  // A step forward repeats nothing either.
  clock.advance(HOUR);
  await system.publishCompletion(endpoint);
  await waitFor(async () => (await system.list(endpoint, "delivered")).length === 2, { describe: "the next event" });
  expect(system.receivedBy(endpoint)).toHaveLength(3);
});

test("a plan that got webhooks back while the clock was an hour ahead has them at once when it is set back", async () => {
  const { clock } = system;
  const start = clock.now();
  const endpoint = system.addEndpoint();
  const { workspaceId } = endpoint;
  system.receiver.answer(204);
  await system.handOver([planChange(workspaceId, "free", start)], "plan-cancellations");
  clock.advance(HOUR);
  await system.publishCompletion(endpoint);
  await system.handOver([planChange(workspaceId, "enterprise", clock.now())], "plan-cancellations");
  clock.set(new Date(start.getTime() + 1000));
  const ahead = () => system.sql("SELECT 1 FROM plan_changes WHERE changed_at > $1", [clock.now()]);
  await waitFor(async () => (await ahead()).length === 0, { describe: "the repair" });
  clock.advance(1000);
  const event = completion(workspaceId, clock.now());
  expect(await system.handOver([event])).toEqual([event.eventId]);
  await waitFor(async () => (await system.list(endpoint, "delivered")).length === 1, { describe: "the delivery" });
});
