import { AppError, errorCatalogue } from "@canvass/errors";
import { recognizeDatabaseError, type Sql } from "@canvass/postgres";
import type { Logger, Registry } from "@canvass/telemetry";
import { createJobMetrics } from "./job-metrics.ts";
import {
  JobCancelled,
  jobQueue,
  LeaseLost,
  renewLease,
  settleJob,
  type LeasedJob,
  type Progress,
  type Settlement,
} from "./job-lease.ts";
import { backOffMs, startLoop, type Loop } from "./loop.ts";

export interface JobRun<Input = unknown, Checkpoint = unknown> {
  workspaceId: string;
  jobId: string;
  input: Input;
  checkpoint: Checkpoint | null;
  /** Aborted when the job is cancelled, the lease is lost, the run makes no progress, or the process stops. */
  signal: AbortSignal;
  /** Saves progress, atomically with the effects in `sql`'s transaction. Throws once the run must end. */
  save(this: void, sql: Sql, progress: Progress<Checkpoint>): Promise<void>;
}

/** Runs a job to its end from the checkpoint. An AppError that is not retryable fails the job. */
export type RunJob = (run: JobRun<never, never>) => Promise<void>;

export interface JobsOptions {
  sql: Sql;
  /** By kind; jobs of other kinds are skipped. */
  kinds: Readonly<Record<string, RunJob>>;
  now: () => Date;
  log: Logger;
  metrics?: Registry;
  /** Jobs that this loop runs at once; a process may have several loops. Default 2. */
  atOnce?: number;
  /** Lease in milliseconds: after it, another process takes over from a dead runner. Default 30,000. */
  leaseMs?: number;
  /** Milliseconds without progress after which a run is abandoned. Default 30 minutes. */
  longestStepMs?: number;
  /** Runs without progress before a job fails. Default 8: their pauses outlast a restart of what the job needs. */
  maxAttempts?: number;
  /** Milliseconds between polls for jobs queued elsewhere. Default 5,000. */
  pollMs?: number;
  /** One running job per workspace, round robin between workspaces. Default false. */
  fair?: boolean;
}

/** Runs due jobs; replicas share them. Nudge it after queueing a job. Disposing leaves jobs to other replicas. */
export function startJobs(options: JobsOptions): Loop {
  const { sql, kinds, now, log, atOnce = 2, leaseMs = 30_000, maxAttempts = 8, pollMs = 5_000 } = options;
  const { longestStepMs = 30 * 60_000 } = options;
  const roundRobinBy = options.fair ? "workspace_id" : undefined;
  const only = { kind: Object.keys(kinds) };
  const runs = new Set<Promise<void>>();
  const measured = options.metrics && createJobMetrics(options.metrics, sql);
  const leaseEnd = () => new Date(now().getTime() + leaseMs);

  async function round(stopping: AbortSignal): Promise<number> {
    if (runs.size >= atOnce) return pollMs;
    while (runs.size < atOnce && !stopping.aborted) {
      const limit = atOnce - runs.size;
      const claimed = await jobQueue.claim(sql, { now: now(), leaseMs, limit, only, roundRobinBy });
      for (const job of claimed) start(job, stopping);
      // With round robin, a claim returns one job, of a workspace without a running one. Fill all slots.
      if (!roundRobinBy || claimed.length === 0) break;
    }
    // With round robin, a due job of a busy workspace waits for the end of the running job or its lease.
    const next = await jobQueue.nextDue(sql, only, roundRobinBy ? now() : undefined);
    return next ? Math.min(Math.max(next.getTime() - now().getTime(), 50), pollMs) : pollMs;
  }

  function start(job: LeasedJob, stopping: AbortSignal): void {
    const run = runAndSettle(job, stopping).finally(() => {
      runs.delete(run);
      loop.nudge();
    });
    runs.add(run);
  }

  async function runAndSettle(job: LeasedJob, stopping: AbortSignal): Promise<void> {
    const { workspaceId, jobId, kind } = job;
    measured?.running.inc({ kind });
    try {
      const error = await run(job, stopping).catch((thrown: unknown) => thrown ?? new Error("nothing was thrown"));
      if (error instanceof LeaseLost) return;
      if (error && !(error instanceof JobCancelled) && !stopping.aborted) {
        log.warn({ err: error, workspaceId, jobId, kind, attempts: job.attempts }, "a run of a job failed");
      }
      const settlement = settlementOf(error, job, stopping.aborted);
      await settleJob(sql, job, settlement, now());
      measured?.runs.inc({ kind, outcome: settlement.outcome ?? "retried" });
    } catch (err) {
      log.warn({ err, workspaceId, jobId, kind }, "a job could not be settled; its lease runs out");
    } finally {
      measured?.running.dec({ kind });
    }
  }

  /** Runs the job and renews its lease. Abandons a run without progress, even if it ignores its signal. */
  async function run(job: LeasedJob, stopping: AbortSignal): Promise<void> {
    if (job.cancelRequested) throw new JobCancelled("the job was cancelled");
    // Earlier runners died during this job; another one probably would, too.
    if (job.attempts > maxAttempts) throw new Error("no run of the job came to an end");
    const ending = new AbortController();
    const signal = AbortSignal.any([stopping, ending.signal]);
    const stuck = Promise.withResolvers<never>();
    let renewals = 0;
    let beats = 0;
    const renew = async (on: Sql, progress?: Progress) => {
      renewals += 1;
      try {
        await renewLease(on, job, leaseEnd(), progress);
      } catch (error) {
        if (error instanceof LeaseLost || error instanceof JobCancelled) ending.abort(error);
        throw error;
      } finally {
        renewals -= 1;
      }
    };
    const beat = () => {
      beats += 1;
      // Count beats, not time: while the process was suspended, so were its jobs.
      if (beats * beatMs >= longestStepMs) {
        ending.abort(new Error("the run made no progress"));
        stuck.reject(ending.signal.reason as Error);
      } else if (renewals === 0) {
        // A step that has saved locks the job's row until it commits. Let only one heartbeat wait for it.
        renew(sql).catch(() => undefined);
      }
    };
    const beatMs = leaseMs / 3;
    const heartbeat = setInterval(beat, beatMs);
    try {
      const { workspaceId, jobId, input, checkpoint } = job;
      const save = async (on: Sql, progress: Progress) => {
        signal.throwIfAborted();
        beats = 0;
        await renew(on, progress);
      };
      const given = { workspaceId, jobId, input, checkpoint, signal, save };
      await Promise.race([kinds[job.kind]!(given as unknown as JobRun<never, never>), stuck.promise]);
    } catch (error) {
      throw ending.signal.aborted ? ending.signal.reason : error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  function settlementOf(thrown: unknown, job: LeasedJob, isStopping: boolean): Settlement {
    const { attempts } = job;
    // A full disk is no defect of the job.
    const error = recognizeDatabaseError(thrown) ?? thrown;
    const finished = { error: null, dueAt: null, attempts };
    if (!error) return { ...finished, outcome: "succeeded" };
    if (error instanceof JobCancelled) return { ...finished, outcome: "cancelled" };
    // A stopped run does not count as an attempt.
    if (isStopping) return { outcome: null, error: job.error, dueAt: now(), attempts: attempts - 1 };
    const code = error instanceof AppError ? error.code : "internal_error";
    const isFinal = error instanceof AppError && !errorCatalogue[error.code].retryable;
    if (isFinal || attempts >= maxAttempts) return { ...finished, outcome: "failed", error: code };
    return { outcome: null, error: code, dueAt: new Date(now().getTime() + backOffMs(attempts, 60_000)), attempts };
  }

  const loop = startLoop({
    round,
    minGapMs: 10,
    onFailure: (err, inARow) => {
      if (inARow === 1) log.warn({ err }, "jobs cannot be claimed at the moment; they wait");
    },
  });
  return {
    nudge: () => loop.nudge(),
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await Promise.all(runs);
    },
  };
}
