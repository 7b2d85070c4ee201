import type { Sql } from "@canvass/postgres";

export interface NewJob {
  workspaceId: string;
  jobId: string;
  kind: string;
  input: unknown;
}

export type JobState = "queued" | "running" | "succeeded" | "failed" | "cancelled";

export interface JobStatus {
  kind: string;
  state: JobState;
  done: number;
  total: number | null;
  /** Error catalogue code of the failed job, or of its last failed run. */
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** Queues a job. Call it in the transaction of the write that requests the job. */
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

/** Cancels a queued job at once, a running one at its next renewal. Returns false if it is finished or absent. */
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
