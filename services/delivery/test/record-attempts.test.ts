import { sqlFromPg } from "@canvass/postgres";
import type { Outcome } from "@canvass/webhook-sender";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { markReported, findUnreported } from "../src/storage/endpoint-health.ts";
import { recordAttempts, type AttemptRecord } from "../src/storage/record-attempts.ts";
import { SHOWN, endedAttempt, later, now, openDeliveryTables } from "./delivery-tables.ts";

const tables = await sharedByFile(openDeliveryTables());
beforeEach(() => tables.clear());

const rowsOf = async (text: string) => (await tables.pool.query(text)).rows;

/** Queues and begins one delivery per outcome. Returns their records, a second apart, which are not stored yet. */
async function endAttempts(subscriptionId: string, ...outcomes: Outcome[]) {
  await tables.queue("w", subscriptionId, outcomes.length);
  const claimed = await tables.begin();
  return claimed.map((delivery, index) => endedAttempt(delivery, outcomes[index]!, later(index * 1000)));
}
const record = (attempts: Parameters<typeof recordAttempts>[1]) =>
  recordAttempts(sqlFromPg(tables.pool), attempts, later(10_000));

test("a result under a lease that is lost is left out, and the rest of its batch is recorded", async () => {
  await tables.queue("w", "s", 2);
  const stale = await tables.begin();
  const [first, second] = await tables.begin({ now: later(20_000), leaseUntil: later(40_000) });
  const former = stale.find(({ deliveryId }) => deliveryId === first!.deliveryId)!;
  await record([endedAttempt(former, "http_error"), endedAttempt(second!, "success")]);
  expect(await rowsOf(`SELECT delivery_id, status FROM ${SHOWN} ORDER BY delivery_id`)).toEqual([
    { delivery_id: first!.deliveryId, status: "pending" },
    { delivery_id: second!.deliveryId, status: "delivered" },
  ]);
  expect(await rowsOf("SELECT delivery_id FROM attempts")).toEqual([{ delivery_id: second!.deliveryId }]);
  expect(await rowsOf("SELECT lease_id FROM due_deliveries")).toEqual([{ lease_id: first!.leaseId }]);
  expect(await rowsOf("SELECT last_failure_at FROM endpoint_health")).toEqual([{ last_failure_at: null }]);
});

const health = () =>
  rowsOf(`SELECT subscription_id, consecutive_failures, last_success_at, last_failure_at
    FROM endpoint_health ORDER BY subscription_id`);

test("failures count on until a success, in the order in which attempts ended", async () => {
  await record(await endAttempts("s", "http_error", "success", "no_response", "connection_error", "gone"));
  const known = { subscription_id: "s", last_success_at: later(1000) };
  expect(await health()).toEqual([{ ...known, consecutive_failures: 3, last_failure_at: later(4000) }]);
  await tables.pool.query("TRUNCATE disable_requests, due_deliveries");
  await record(await endAttempts("s", "http_error", "http_error"));
  expect(await health()).toEqual([{ ...known, consecutive_failures: 5, last_failure_at: later(4000) }]);
  await record(await endAttempts("s", "success"));
  expect(await health()).toMatchObject([{ consecutive_failures: 0 }]);
});

test("blocked attempts count as failures, and do not end a row of them", async () => {
  await record(await endAttempts("s", "success", "http_error", "blocked", "blocked", "no_response"));
  expect(await health()).toEqual([
    { subscription_id: "s", consecutive_failures: 4, last_success_at: now, last_failure_at: later(4000) },
  ]);
  await tables.pool.query("TRUNCATE disable_requests, due_deliveries");
  await record(await endAttempts("s", "blocked"));
  expect(await health()).toMatchObject([{ consecutive_failures: 5, last_failure_at: later(4000) }]);
});

const counted = () => rowsOf("SELECT consecutive_failures AS shown, pausing_failures AS pausing FROM endpoint_health");

/** The same attempts, to an endpoint of another revision. */
const of = (destinationRevision: number, activeSince: Date, attempts: AttemptRecord[]): AttemptRecord[] =>
  attempts.map((attempt) => ({ ...attempt, endpoint: { destinationRevision, activeSince } }));

test("blocked attempts and redeliveries do not count toward pausing; the success of a redelivery ends a row of failures", async () => {
  const [first, second, third] = await endAttempts("s", "http_error", "blocked", "http_error");
  const redelivery = { ...third!, delivery: { ...third!.delivery, isRedelivery: true } };
  await record([first!, second!, redelivery]);
  expect(await counted()).toEqual([{ shown: 3, pausing: 1 }]);
  await tables.pool.query("TRUNCATE disable_requests, due_deliveries");
  const [success] = await endAttempts("s", "success");
  await record([{ ...success!, delivery: { ...success!.delivery, isRedelivery: true } }]);
  expect(await counted()).toEqual([{ shown: 0, pausing: 0 }]);
});

test("counting begins anew with a resumed or moved endpoint, and what was sent to the former one is left out", async () => {
  await record(await endAttempts("s", "http_error", "http_error", "http_error"));
  await record(of(5, later(60_000), await endAttempts("s", "http_error")));
  expect(await counted()).toEqual([{ shown: 1, pausing: 1 }]);
  // Late, alone and beside a new one; one whose worker died belongs to any.
  await record(await endAttempts("s", "http_error"));
  expect(await counted()).toEqual([{ shown: 1, pausing: 1 }]);
  const [late, fresh, interrupted] = await endAttempts("s", "http_error", "http_error", "no_response");
  await record([late!, ...of(5, later(60_000), [fresh!]), { ...interrupted!, endpoint: undefined }]);
  expect(await counted()).toEqual([{ shown: 3, pausing: 3 }]);
  expect(await rowsOf("SELECT destination_revision AS revision, active_since FROM endpoint_health")).toEqual([
    { revision: 5, active_since: later(60_000) },
  ]);
});

test("a request to disable names the destination's revision, the newest of several", async () => {
  const requests = () => rowsOf("SELECT reason, destination_revision AS revision FROM disable_requests");
  await tables.queue("w", "s", 3);
  const [one, two, three] = (await tables.begin()).map((delivery) => endedAttempt(delivery, "gone"));
  const blocked = (attempt: AttemptRecord) => ({ ...attempt, next: { ...attempt.next, disable: "blocked" as const } });
  await record(of(2, now, [one!]));
  expect(await requests()).toEqual([{ reason: "gone", revision: 2 }]);
  await record(of(1, now, [blocked(two!)]));
  expect(await requests()).toEqual([{ reason: "gone", revision: 2 }]);
  await record(of(3, now, [blocked(three!)]));
  expect(await requests()).toEqual([{ reason: "blocked", revision: 3 }]);
});

test("each endpoint has its own health, also within a batch", async () => {
  const attempts = [...(await endAttempts("b", "blocked")), ...(await endAttempts("c", "http_error"))];
  await record([...attempts, ...(await endAttempts("a", "success"))]);
  expect(await health()).toMatchObject([
    { subscription_id: "a", consecutive_failures: 0, last_failure_at: null },
    { subscription_id: "b", consecutive_failures: 1, last_success_at: null },
    { subscription_id: "c", consecutive_failures: 1, last_success_at: null },
  ]);
});

test("a gone endpoint is disabled as gone, whatever other outcomes it has, in any order", async () => {
  const requests = () => rowsOf("SELECT reason FROM disable_requests");
  await tables.queue("w", "s", 6);
  const [one, two, three, four, five, six] = await tables.begin();
  await record([endedAttempt(one!, "blocked")]);
  expect(await requests()).toEqual([{ reason: "blocked" }]);
  await record([endedAttempt(two!, "blocked"), endedAttempt(three!, "gone"), endedAttempt(four!, "blocked")]);
  expect(await requests()).toEqual([{ reason: "gone" }]);
  await record([endedAttempt(five!, "blocked"), endedAttempt(six!, "success")]);
  expect(await requests()).toEqual([{ reason: "gone" }]);
});

test("a report counts when it is still the newest, and each change is newer than the one before", async () => {
  const sql = sqlFromPg(tables.pool);
  await record(await endAttempts("s", "http_error"));
  const older = await findUnreported(sql, 10);
  await record(await endAttempts("s", "success"));
  const newer = await findUnreported(sql, 10);
  expect(newer[0]!.changedAt.getTime()).toBeGreaterThan(older[0]!.changedAt.getTime());
  await markReported(sql, older);
  expect(await findUnreported(sql, 10)).toEqual(newer);
  await markReported(sql, newer);
  expect(await findUnreported(sql, 10)).toEqual([]);
  await markReported(sql, older);
  expect(await findUnreported(sql, 10)).toEqual([]);
});
