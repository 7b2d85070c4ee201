import type { Sql } from "@canvass/postgres";
import type { FailureReason, Outcome } from "@canvass/webhook-sender";
import type { NextStep } from "../domain/retry-schedule.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import { LEASED } from "./leased-rows.ts";
import { SETTLE } from "./stored-status.ts";

export interface AttemptedEndpoint {
  destinationRevision: number;
  activeSince: Date | undefined;
}

export interface AttemptRecord {
  delivery: Pick<
    ClaimedDelivery,
    | "workspaceId"
    | "subscriptionId"
    | "deliveryId"
    | "leaseId"
    | "leaseUntil"
    | "isRedelivery"
    | "duePlace"
    | "storedPlace"
    | "storedAs"
  >;
  /** At the beginning of the attempt; undefined: unknown. */
  endpoint: AttemptedEndpoint | undefined;
  number: number;
  attemptedAt: Date;
  durationMs: number;
  outcome: Outcome;
  statusCode: number | undefined;
  responseBody: string;
  reason: FailureReason | undefined;
  next: NextStep;
}

/** Revision 0 is unknown. */
const failures = (column: string) => `CASE
      WHEN excluded.destination_revision BETWEEN 1 AND known.destination_revision - 1 THEN known.${column}
      WHEN known.destination_revision BETWEEN 1 AND excluded.destination_revision - 1
        OR excluded.last_success_at IS NOT NULL THEN excluded.${column}
      ELSE known.${column} + excluded.${column} END`;

/**
 * Skips deliveries leased to another worker. Locks shared rows in key order. Of disable requests the newest revision
 * wins, then `gone`. Failures (also blocked ones) add up until a success or a newer revision.
 */
const RECORD = `
WITH ended AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::int[],
    $8::text[], $9::int[], $10::text[], $11::text[], $12::timestamptz[], $13::text[], $15::int[], $16::timestamptz[],
    $17::boolean[], $18::text[], $19::text[], $20::text[], $21::text[]) WITH ORDINALITY
    AS e (workspace_id, subscription_id, delivery_id, lease_id, number, attempted_at, duration_ms,
      outcome, status_code, response_body, status, next_due_at, disable, destination_revision, active_since, pauses,
      due_place, stored_place, stored_as, reason, position)
), ${LEASED("ended")}, finished AS (
  DELETE FROM due_deliveries d USING leased l
  WHERE l.next_due_at IS NULL AND d.ctid = l.place
  RETURNING l.*
), again AS (
  UPDATE due_deliveries d
  SET due_at = l.next_due_at, scheduled_at = l.next_due_at, attempts = l.number, lease_id = NULL, begun_at = NULL
  FROM leased l
  WHERE l.next_due_at IS NOT NULL AND d.ctid = l.place
  RETURNING l.*
), held AS (
  SELECT * FROM finished UNION ALL SELECT * FROM again
), ${SETTLE("held")}, kept AS (
  INSERT INTO attempts (workspace_id, subscription_id, delivery_id, number, attempted_at, duration_ms, outcome,
    status_code, response_body, reason)
  SELECT workspace_id, subscription_id, delivery_id, number, attempted_at, duration_ms, outcome, status_code,
    response_body, reason
  FROM held
), disabling AS (
  INSERT INTO disable_requests AS known
    (workspace_id, subscription_id, reason, requested_at, destination_revision)
  SELECT DISTINCT ON (workspace_id, subscription_id)
    workspace_id, subscription_id, disable, $14::timestamptz, destination_revision
  FROM held WHERE disable <> ''
  ORDER BY workspace_id, subscription_id, destination_revision DESC, disable = 'gone' DESC
  ON CONFLICT (workspace_id, subscription_id) DO UPDATE SET
    reason = CASE WHEN known.reason = 'gone' AND known.destination_revision >= excluded.destination_revision
      THEN 'gone' ELSE excluded.reason END,
    requested_at = excluded.requested_at,
    destination_revision = greatest(known.destination_revision, excluded.destination_revision)
), signs AS (
  SELECT workspace_id, subscription_id, attempted_at, destination_revision, active_since, pauses,
    outcome = 'success' AS succeeded,
    destination_revision IN (0, max(destination_revision) OVER (PARTITION BY workspace_id, subscription_id))
      AND position > coalesce(max(position) FILTER (WHERE outcome = 'success')
        OVER (PARTITION BY workspace_id, subscription_id), 0) AS in_a_row
  FROM held
), health AS (
  INSERT INTO endpoint_health AS known (workspace_id, subscription_id, consecutive_failures, pausing_failures,
    last_success_at, last_failure_at, destination_revision, active_since, changed_at)
  SELECT workspace_id, subscription_id, count(*) FILTER (WHERE in_a_row), count(*) FILTER (WHERE in_a_row AND pauses),
    max(attempted_at) FILTER (WHERE succeeded), max(attempted_at) FILTER (WHERE NOT succeeded),
    max(destination_revision), max(active_since), $14::timestamptz
  FROM signs GROUP BY workspace_id, subscription_id ORDER BY workspace_id, subscription_id
  ON CONFLICT (workspace_id, subscription_id) DO UPDATE SET
    consecutive_failures = ${failures("consecutive_failures")},
    pausing_failures = ${failures("pausing_failures")},
    destination_revision = greatest(known.destination_revision, excluded.destination_revision),
    active_since = greatest(known.active_since, excluded.active_since),
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
    column(({ endpoint }) => endpoint?.destinationRevision ?? 0),
    column(({ endpoint }) => endpoint?.activeSince ?? null),
    column(({ outcome, delivery }) => outcome !== "blocked" && !delivery.isRedelivery),
    column(({ delivery }) => delivery.duePlace ?? null),
    column(({ delivery }) => delivery.storedPlace ?? null),
    column(({ delivery }) => delivery.storedAs ?? null),
    column(({ reason }) => reason ?? null),
  ]);
}
