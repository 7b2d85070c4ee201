import type { Sql } from "@canvass/postgres";
import { createLeaseQueue, type Lease } from "./lease-queue.ts";

export interface LeasedJob extends Lease {
  workspaceId: string;
  jobId: string;
  kind: string;
  input: unknown;
  checkpoint: unknown;
  error: string | null;
  cancelRequested: boolean;
}

export const jobQueue = createLeaseQueue<LeasedJob>({
  table: "jobs",
  key: ["workspace_id", "job_id"],
  columns: {
    kind: "kind",
    input: "input",
    checkpoint: "checkpoint",
    error: "error",
    cancelRequested: "cancel_requested",
  },
});

const MINUTE_MS = 60_000;

/** After the clock was set back (packages/service, clock-repairs.ts). */
export const repairJobs = (sql: Sql, now: Date): Promise<void> =>
  jobQueue.repairDueTimes(sql, { now, leaseMs: MINUTE_MS, longestWaitMs: 2 * MINUTE_MS });

export interface Progress<Checkpoint = unknown> {
  done: number;
  total?: number;
  /** Absent: the last one stays. */
  checkpoint?: Checkpoint;
}

export class LeaseLost extends Error {
  override name = "LeaseLost";
}

export class JobCancelled extends Error {
  override name = "JobCancelled";
}

/** Extends the lease and stores progress. New progress resets the attempts. Throws LeaseLost or JobCancelled. */
export async function renewLease(sql: Sql, job: LeasedJob, until: Date, progress?: Progress): Promise<void> {
  const { workspaceId, jobId, leaseId } = job;
  const [renewed] = await sql.query<{ attempts: number; cancelRequested: boolean }>(
    `UPDATE jobs SET due_at = $4::timestamptz, attempts = CASE WHEN done < $5::int THEN 1 ELSE attempts END,
       done = greatest(done, $5::int), total = coalesce($6::int, total), checkpoint = coalesce($7::jsonb, checkpoint)
     WHERE workspace_id = $1 AND job_id = $2 AND lease_id = $3
     RETURNING attempts, cancel_requested AS "cancelRequested"`,
    [workspaceId, jobId, leaseId, until, progress?.done ?? null, progress?.total ?? null, jsonOrNull(progress)],
  );
  if (!renewed) throw new LeaseLost("another runner has the job");
  if (renewed.cancelRequested) throw new JobCancelled("the job was cancelled");
  job.attempts = renewed.attempts;
}

export interface Settlement {
  /** Null if the job will be retried. */
  outcome: "succeeded" | "failed" | "cancelled" | null;
  error: string | null;
  dueAt: Date | null;
  attempts: number;
}

/** Ends the lease. A job that was cancelled ends as cancelled, whatever the outcome of its run. */
export async function settleJob(sql: Sql, job: LeasedJob, settlement: Settlement, now: Date): Promise<void> {
  const { workspaceId, jobId, leaseId } = job;
  const { outcome, error, dueAt, attempts } = settlement;
  await sql.query(
    `UPDATE jobs SET lease_id = NULL, attempts = $4::int,
       outcome = CASE WHEN cancel_requested THEN 'cancelled' ELSE $5::text END,
       error = CASE WHEN cancel_requested THEN NULL ELSE $6::text END,
       due_at = CASE WHEN cancel_requested THEN NULL ELSE $7::timestamptz END,
       finished_at = CASE WHEN cancel_requested OR $5::text IS NOT NULL THEN $8::timestamptz END
     WHERE workspace_id = $1 AND job_id = $2 AND lease_id = $3`,
    [workspaceId, jobId, leaseId, attempts, outcome, error, dueAt, now],
  );
}

const jsonOrNull = (progress: Progress | undefined): string | null =>
  progress?.checkpoint === undefined ? null : JSON.stringify(progress.checkpoint);
