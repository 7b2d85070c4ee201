import type { Sql } from "@canvass/postgres";

export interface NewJob {
  workspaceId: string;
  jobId: string;
  /** Which function of the service runs it. */
  kind: string;
  /** JSON; what that function gets. */
  input: unknown;
}

export type JobState = "queued" | "running" | "succeeded" | "failed" | "cancelled";

/** How far a job is. */
export interface JobStatus {
  kind: string;
  state: JobState;
  done: number;
  /** null while it is not known. */
  total: number | null;
  /** Code of the error catalogue: why it failed, or why its last run did. */
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** Queues a job; in the transaction of the write that asks for it. */
export async function insertJob(sql: Sql, { workspaceId, jobId, kind, input }: NewJob, now: Date): Promise<void> {
  await sql.query(
    `INSERT INTO jobs (workspace_id, job_id, kind, input, created_at, due_at)
     VALUES ($1, $2, $3, $4::jsonb, $5::timestamptz, $5::timestamptz)`,
    [workspaceId, jobId, kind, JSON.stringify(input), now],
  );
}

export async function findJob(sql: Sql, workspaceId: string, jobId: string): Promise<JobStatus | undefined> {
  const [job] = await sql.query<JobStatus>(
    `SELECT kind, coalesce(outcome, CASE WHEN lease_id IS NULL THEN 'queued' ELSE 'running' END) AS state,
       done, total, error, created_at AS "createdAt", finished_at AS "finishedAt"
     FROM jobs WHERE workspace_id = $1 AND job_id = $2`,
    [workspaceId, jobId],
  );
  return job;
}

/**
 * Cancels a job: at once when it is queued, else its runner learns of it when it next saves or renews its lease. False
 * when it is finished or absent.
 */
export async function cancelJob(sql: Sql, workspaceId: string, jobId: string, now: Date): Promise<boolean> {
  const cancelled = await sql.query(
    `UPDATE jobs SET cancel_requested = true,
       due_at = CASE WHEN lease_id IS NOT NULL THEN due_at END,
       outcome = CASE WHEN lease_id IS NULL THEN 'cancelled' END,
       finished_at = CASE WHEN lease_id IS NULL THEN $3::timestamptz END
     WHERE workspace_id = $1 AND job_id = $2 AND outcome IS NULL RETURNING job_id`,
    [workspaceId, jobId, now],
  );
  return cancelled.length === 1;
}
