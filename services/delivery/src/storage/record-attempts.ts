import type { Sql } from "@canvass/postgres";
import type { Outcome } from "@canvass/webhook-sender";
import type { NextStep } from "../domain/next-step.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";

export interface AttemptRecord {
  delivery: Pick<ClaimedDelivery, "workspaceId" | "subscriptionId" | "deliveryId" | "leaseId" | "leaseUntil">;
  /** From 1. */
  number: number;
  attemptedAt: Date;
  durationMs: number;
  outcome: Outcome;
  statusCode: number | undefined;
  responseBody: string;
  next: NextStep;
}

/**
 * Stores all effects of a batch of attempts in one statement. Skips deliveries leased to another worker. Locks shared
 * rows in one order and finds due rows by ctid. `gone` outweighs `blocked`. Failures in a row, ordered by the end of
 * attempts, add to the stored count unless one succeeded; blocked attempts count, so that the subscription shows why it
 * was disabled.
 */
const RECORD = `
WITH ended AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::int[],
    $8::text[], $9::int[], $10::text[], $11::text[], $12::timestamptz[], $13::text[]) WITH ORDINALITY
    AS e (workspace_id, subscription_id, delivery_id, lease_id, number, attempted_at, duration_ms,
      outcome, status_code, response_body, status, next_due_at, disable, position)
), held AS (
  SELECT e.*, d.ctid AS place FROM ended e
  JOIN due_deliveries d ON d.workspace_id = e.workspace_id AND d.delivery_id = e.delivery_id AND d.lease_id = e.lease_id
  FOR UPDATE OF d
), finished AS (
  DELETE FROM due_deliveries d USING held h
  WHERE h.next_due_at IS NULL AND d.ctid = h.place
), again AS (
  UPDATE due_deliveries d
  SET due_at = h.next_due_at, scheduled_at = h.next_due_at, attempts = h.number, lease_id = NULL, begun_at = NULL
  FROM held h
  WHERE h.next_due_at IS NOT NULL AND d.ctid = h.place
), settled AS (
  UPDATE deliveries x SET status = h.status FROM held h
  WHERE h.next_due_at IS NULL AND x.workspace_id = h.workspace_id AND x.subscription_id = h.subscription_id
    AND x.delivery_id = h.delivery_id
), kept AS (
  INSERT INTO attempts (workspace_id, subscription_id, delivery_id, number, attempted_at, duration_ms, outcome,
    status_code, response_body)
  SELECT workspace_id, subscription_id, delivery_id, number, attempted_at, duration_ms, outcome, status_code,
    response_body
  FROM held
), disabling AS (
  INSERT INTO disable_requests (workspace_id, subscription_id, reason, requested_at)
  SELECT DISTINCT ON (workspace_id, subscription_id) workspace_id, subscription_id, disable, $14::timestamptz
  FROM held WHERE disable <> '' ORDER BY workspace_id, subscription_id, disable = 'gone' DESC
  ON CONFLICT (workspace_id, subscription_id) DO UPDATE SET
    reason = CASE WHEN disable_requests.reason = 'gone' THEN 'gone' ELSE excluded.reason END,
    requested_at = excluded.requested_at
), signs AS (
  SELECT workspace_id, subscription_id, attempted_at, outcome = 'success' AS succeeded,
    position > coalesce(max(position) FILTER (WHERE outcome = 'success')
      OVER (PARTITION BY workspace_id, subscription_id), 0) AS in_a_row
  FROM held
), health AS (
  INSERT INTO endpoint_health AS known
    (workspace_id, subscription_id, consecutive_failures, last_success_at, last_failure_at, changed_at)
  SELECT workspace_id, subscription_id, count(*) FILTER (WHERE in_a_row),
    max(attempted_at) FILTER (WHERE succeeded), max(attempted_at) FILTER (WHERE NOT succeeded), $14::timestamptz
  FROM signs GROUP BY workspace_id, subscription_id ORDER BY workspace_id, subscription_id
  ON CONFLICT (workspace_id, subscription_id) DO UPDATE SET
    consecutive_failures = excluded.consecutive_failures
      + CASE WHEN excluded.last_success_at IS NULL THEN known.consecutive_failures ELSE 0 END,
    last_success_at = greatest(known.last_success_at, excluded.last_success_at),
    last_failure_at = greatest(known.last_failure_at, excluded.last_failure_at),
    changed_at = greatest(known.changed_at + interval '1 millisecond', excluded.changed_at),
    unreported = true
)
INSERT INTO endpoint_queues (workspace_id, subscription_id, next_due_at)
SELECT workspace_id, subscription_id, min(next_due_at) FROM held
WHERE next_due_at IS NOT NULL GROUP BY workspace_id, subscription_id ORDER BY workspace_id, subscription_id
ON CONFLICT (workspace_id, subscription_id)
  DO UPDATE SET next_due_at = LEAST(endpoint_queues.next_due_at, excluded.next_due_at)`;

export async function recordAttempts(sql: Sql, records: readonly AttemptRecord[], now: Date): Promise<void> {
  const column = <Value>(read: (record: AttemptRecord) => Value): Value[] => records.map(read);
  await sql.query(RECORD, [
    column(({ delivery }) => delivery.workspaceId),
    column(({ delivery }) => delivery.subscriptionId),
    column(({ delivery }) => delivery.deliveryId),
    column(({ delivery }) => delivery.leaseId),
    column(({ number }) => number),
    column(({ attemptedAt }) => attemptedAt),
    column(({ durationMs }) => durationMs),
    column(({ outcome }) => outcome),
    column(({ statusCode }) => statusCode ?? null),
    column(({ responseBody }) => responseBody),
    column(({ next }) => next.status),
    column(({ next }) => next.dueAt ?? null),
    column(({ next }) => next.disable ?? ""),
    now,
  ]);
}
