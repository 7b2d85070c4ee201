import { AppError } from "@canvass/errors";
import { inTransaction, sqlFromPg, type Sql } from "@canvass/postgres";
import { createLogger, createMetrics } from "@canvass/telemetry";
import { createTestDatabase, waitFor, type TestDatabase } from "@canvass/testing";
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { cancelJob, findJob, insertJob, startJobs, type JobsOptions, type RunJob } from "../src/index.ts";
import { countJob } from "./fixture/count-job.ts";

const workspaceId = "w1";
const now = () => new Date();
const leaseMs = 30_000;
/** Lease of a runner that a test stops or kills. */
const shortLeaseMs = 600;
let database: TestDatabase;
let pool: Pool;
let sql: Sql;
let jobs = 0;

beforeAll(async () => {
  database = await createTestDatabase(`${import.meta.dirname}/fixture/prisma/migrations`);
  pool = new Pool({ connectionString: database.url, max: 8 });
  sql = sqlFromPg(pool);
});
afterAll(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});
afterEach(() => vi.useRealTimers());

/** Heartbeats come when the test passes their time. */
const holdHeartbeats = () => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
const heartbeat = () => vi.advanceTimersByTime(leaseMs / 3);

async function queue(kind: string, input: unknown = {}): Promise<string> {
  const jobId = `job${(jobs += 1)}`;
  await insertJob(sql, { workspaceId, jobId, kind, input }, now());
  return jobId;
}

const log = createLogger({ service: "test", level: "silent", pretty: false });
const start = (kinds: Record<string, RunJob>, more: Partial<JobsOptions> = {}) =>
  startJobs({ sql, kinds, now, log, leaseMs, pollMs: 50, ...more });

const statusOf = (jobId: string) => findJob(sql, workspaceId, jobId);
const reaches = (jobId: string, state: string) =>
  waitFor(async () => (await statusOf(jobId))?.state === state, { describe: `${jobId} to be ${state}` });

async function runnersOf(jobId: string): Promise<string[]> {
  const { rows } = await pool.query(`SELECT runner FROM effects WHERE job_id = $1 ORDER BY step`, [jobId]);
  return rows.map(({ runner }) => runner);
}

/** Starts a runner in its own process, which has begun a job of 30 steps. */
async function beginElsewhere() {
  const child = fork(`${import.meta.dirname}/fixture/other-runner.ts`, [database.url, String(shortLeaseMs)], {
    execArgv: [],
  });
  // Kills it also if the wait fails: it would take jobs of later tests.
  await using starting = new AsyncDisposableStack();
  starting.defer(() => void child.kill("SIGKILL"));
  const jobId = await queue("count", { steps: 30 });
  const begun = async () => (await runnersOf(jobId)).length >= 3;
  await waitFor(begun, { describe: "three steps, by a process that has to start", timeoutMs: 40_000 });
  const stack = starting.move();
  return { child, jobId, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Each step ran once, the first ones on the other runner. */
function wasTakenOver(runners: string[]): boolean {
  const lastOther = runners.lastIndexOf("other");
  return runners.length === 30 && lastOther >= 2 && runners.indexOf("this") === lastOther + 1;
}

test("a job shows its state and how far it is", async () => {
  const middle = Promise.withResolvers<void>();
  const jobId = await queue("half", { of: 4 });
  expect(await statusOf(jobId)).toMatchObject({ kind: "half", state: "queued", done: 0, total: null, error: null });
  const seen: unknown[] = [];
  await using _ = start({
    half: async ({ input, save }) => {
      seen.push(input);
      await save(sql, { done: 2, total: 4, checkpoint: null as never });
      await middle.promise;
    },
  });
  await waitFor(async () => (await statusOf(jobId))!.done === 2, { describe: "half" });
  expect(await statusOf(jobId)).toMatchObject({ state: "running", done: 2, total: 4, finishedAt: null });
  middle.resolve();
  await reaches(jobId, "succeeded");
  expect(await statusOf(jobId)).toMatchObject({ done: 2, total: 4, finishedAt: expect.any(Date) });
  expect(seen).toEqual([{ of: 4 }]);
  expect(await findJob(sql, "w2", jobId)).toBeUndefined();
});

test("after kill -9 another runner continues from the checkpoint", async () => {
  await using other = await beginElsewhere();
  other.child.kill("SIGKILL");
  await once(other.child, "exit");
  await using _ = start({ count: countJob(pool, "this", 0) });
  await reaches(other.jobId, "succeeded");
  expect(await runnersOf(other.jobId)).toSatisfy(wasTakenOver);
});

test("a runner that was stopped and goes on writes nothing once another has its job", async () => {
  await using other = await beginElsewhere();
  other.child.kill("SIGSTOP");
  const before = (await runnersOf(other.jobId)).length;
  const held = Promise.withResolvers<void>();
  const count = countJob(pool, "this", 0);
  const holding: RunJob = async (run) => {
    await held.promise;
    await count(run);
  };
  // It keeps the one job, so that the other runner has to take the next.
  await using _ = start({ count: holding }, { atOnce: 1 });
  using _release = { [Symbol.dispose]: held.resolve };
  const { rows } = await pool.query(`SELECT lease_id FROM jobs WHERE job_id = $1`, [other.jobId]);
  await waitFor(
    async () => {
      const { rows: present } = await pool.query(`SELECT lease_id FROM jobs WHERE job_id = $1`, [other.jobId]);
      return present[0].lease_id !== rows[0].lease_id;
    },
    { describe: "the job to be taken over" },
  );
  other.child.kill("SIGCONT");
  const next = await queue("count", { steps: 1 });
  await reaches(next, "succeeded");
  expect((await runnersOf(other.jobId)).length).toBeLessThanOrEqual(before + 1);
  held.resolve();
  await reaches(other.jobId, "succeeded");
  expect(await runnersOf(other.jobId)).toSatisfy(wasTakenOver);
});

test("a queued job is cancelled at once, a running one when it next saves or renews its lease", async () => {
  const queued = await queue("waits");
  expect(await cancelJob(sql, workspaceId, queued, now())).toBe(true);
  expect(await statusOf(queued)).toMatchObject({ state: "cancelled", finishedAt: expect.any(Date) });
  expect(await cancelJob(sql, workspaceId, queued, now())).toBe(false);
  const running = await queue("waits");
  const saving = await queue("saves");
  holdHeartbeats();
  await using _ = start({
    waits: ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    saves: async ({ save }) => {
      for (let done = 1; ; done += 1) await save(sql, { done, checkpoint: null as never });
    },
  });
  await Promise.all([reaches(running, "running"), reaches(saving, "running")]);
  await cancelJob(sql, workspaceId, running, now());
  await cancelJob(sql, workspaceId, saving, now());
  await reaches(saving, "cancelled");
  expect(await statusOf(running)).toMatchObject({ state: "running" });
  heartbeat();
  await reaches(running, "cancelled");
});

test("a job that is cancelled after its last save ends cancelled, however its run ends", async () => {
  const going = { done: Promise.withResolvers<void>(), failing: Promise.withResolvers<void>() };
  const done = await queue("done");
  const failing = await queue("failing");
  holdHeartbeats();
  await using _ = start({ done: () => going.done.promise, failing: () => going.failing.promise });
  await Promise.all([reaches(done, "running"), reaches(failing, "running")]);
  expect(await cancelJob(sql, workspaceId, done, now())).toBe(true);
  expect(await cancelJob(sql, workspaceId, failing, now())).toBe(true);
  going.done.resolve();
  going.failing.reject(new Error("no"));
  await Promise.all([reaches(done, "cancelled"), reaches(failing, "cancelled")]);
  expect(await statusOf(failing)).toMatchObject({ error: null, finishedAt: expect.any(Date) });
});

test("a runner of other kinds, or of none, queries the database only once per poll", async () => {
  const jobId = await queue("foreign");
  const warn = vi.spyOn(log, "warn");
  for (const kinds of [{}, { own: () => Promise.resolve() }] as Record<string, RunJob>[]) {
    const askedAt: number[] = [];
    const timed: Sql = { query: (text, params) => (askedAt.push(performance.now()), sql.query(text, params)) };
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    await using _ = start(kinds, { sql: timed, pollMs: 60_000 });
    while (askedAt.length < 3) {
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise(setImmediate);
    }
    // A claim and a look at what is due next are one round.
    expect(askedAt[2]! - askedAt[0]!).toBeGreaterThanOrEqual(60_000);
    vi.useRealTimers();
  }
  expect(warn).not.toHaveBeenCalled();
  await cancelJob(sql, workspaceId, jobId, now());
});

test("a run that makes no progress is given up, even if it ignores its signal, and makes room for other jobs", async () => {
  const stuck = await queue("stuck");
  const other = await queue("other");
  const going = Promise.withResolvers<void>();
  const saved = Promise.withResolvers<unknown>();
  const kinds: Record<string, RunJob> = {
    stuck: async ({ save }) => {
      await going.promise;
      saved.resolve(await save(sql, { done: 1, checkpoint: null as never }).catch((error: unknown) => error));
    },
    other: () => Promise.resolve(),
  };
  holdHeartbeats();
  await using _ = start(kinds, { atOnce: 1, maxAttempts: 1, longestStepMs: leaseMs });
  await reaches(stuck, "running");
  for (let thirds = 0; thirds < 4; thirds += 1) heartbeat();
  await Promise.all([reaches(stuck, "failed"), reaches(other, "succeeded")]);
  going.resolve();
  expect(await saved.promise).toEqual(new Error("the run made no progress"));
  expect(await statusOf(stuck)).toMatchObject({ state: "failed", done: 0, error: "internal_error" });
});

test("a job that was leased runs, although the next claim failed", async () => {
  const [first, second] = ["d", "e"].map((workspace) => ({ workspace, jobId: `job${(jobs += 1)}` }));
  for (const { workspace, jobId } of [first!, second!])
    await insertJob(sql, { workspaceId: workspace, jobId, kind: "each", input: {} }, now());
  let claims = 0;
  const lostOnce: Sql = {
    query(text, params) {
      if (text.includes("FOR UPDATE SKIP LOCKED") && (claims += 1) === 2) throw new Error("the connection was lost");
      return sql.query(text, params);
    },
  };
  const ran: string[] = [];
  const each: RunJob = async ({ jobId }) => void ran.push(jobId);
  // The lease is longer than the test.
  await using _ = start({ each }, { sql: lostOnce, fair: true, leaseMs: 600_000 });
  await waitFor(() => ran.length === 2, { describe: "both" });
  expect(ran.toSorted()).toEqual([first!.jobId, second!.jobId].toSorted());
});

test("heartbeats of a long step take no more than one connection", async () => {
  const jobId = await queue("long");
  const saved = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  let heartbeats = 0;
  const counted: Sql = {
    query(text, params) {
      if (text.startsWith("UPDATE jobs SET due_at")) heartbeats += 1;
      return sql.query(text, params);
    },
  };
  const long: RunJob = ({ save }) =>
    inTransaction(pool, async (step) => {
      await save(step, { done: 1, checkpoint: null as never });
      saved.resolve();
      await commit.promise;
    });
  holdHeartbeats();
  await using _ = start({ long }, { sql: counted });
  await saved.promise;
  const waits = async () => {
    const { rows } = await pool.query(`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE jobs%'`);
    return rows.length === 1;
  };
  heartbeat();
  await waitFor(waits, { describe: "a heartbeat that waits" });
  for (let more = 0; more < 5; more += 1) heartbeat();
  expect(heartbeats).toBe(1);
  commit.resolve();
  await reaches(jobId, "succeeded");
});

test("a failing job is retried with back-off, then given up; progress restarts the count, a final error ends it", async () => {
  const runs: Record<string, number> = {};
  const counted =
    (run: RunJob): RunJob =>
    (given) => {
      runs[given.jobId] = (runs[given.jobId] ?? 0) + 1;
      return run(given);
    };
  const defective = await queue("defective");
  const final = await queue("final");
  const slow = await queue("slow");
  const again = await queue("again");
  await using _ = start(
    {
      defective: counted(() => Promise.reject(new Error("secret"))),
      final: counted(() => Promise.reject(new AppError("survey_not_found"))),
      slow: counted(async ({ jobId, save }) => {
        await save(sql, { done: runs[jobId]!, checkpoint: null as never });
        if (runs[jobId]! < 5) throw new AppError("service_unavailable");
      }),
      // Each run does the same two steps, and no run a third.
      again: counted(async ({ save }) => {
        for (const done of [1, 2]) await save(sql, { done, checkpoint: null as never });
        throw new AppError("service_unavailable");
      }),
    },
    { maxAttempts: 3 },
  );
  await Promise.all([
    reaches(again, "failed"),
    reaches(defective, "failed"),
    reaches(final, "failed"),
    reaches(slow, "succeeded"),
  ]);
  expect(await statusOf(defective)).toMatchObject({ error: "internal_error" });
  expect(await statusOf(final)).toMatchObject({ error: "survey_not_found" });
  expect(runs).toEqual({ [defective]: 3, [final]: 1, [slow]: 5, [again]: 3 });
});

test("a job whose runners never come back is given up", async () => {
  const jobId = await queue("deadly");
  await pool.query(`UPDATE jobs SET attempts = 3 WHERE job_id = $1`, [jobId]);
  let runs = 0;
  await using _ = start({ deadly: async () => void (runs += 1) }, { maxAttempts: 3 });
  await reaches(jobId, "failed");
  expect(runs).toBe(0);
});

test("a process that stops leaves its jobs to others, and no attempt is used up", async () => {
  const jobId = await queue("count", { steps: 1000 });
  const runner = start({ count: countJob(pool, "first", 5) });
  await waitFor(async () => (await statusOf(jobId))!.done > 2, { describe: "three steps" });
  await runner[Symbol.asyncDispose]();
  const { rows } = await pool.query(`SELECT attempts, lease_id, outcome FROM jobs WHERE job_id = $1`, [jobId]);
  expect(rows).toEqual([{ attempts: 0, lease_id: null, outcome: null }]);
  await cancelJob(sql, workspaceId, jobId, now());
});

test("workspaces take turns, and each has one job at a time, however many it queues", async () => {
  const order: string[] = [];
  const atOnce: string[][] = [];
  const running = new Set<string>();
  const turn: RunJob = async ({ workspaceId: workspace, jobId }) => {
    order.push(jobId);
    running.add(workspace);
    atOnce.push([...running]);
    await delay(20);
    running.delete(workspace);
  };
  const queued = new Date();
  for (const [workspace, jobId] of [
    ["a", "a1"],
    ["a", "a2"],
    ["a", "a3"],
    ["b", "b1"],
    ["c", "c1"],
  ] as const) {
    // Of one moment each: only their ids tell them apart.
    await insertJob(sql, { workspaceId: workspace, jobId, kind: "turn", input: {} }, queued);
  }
  const finished = async () => {
    const { rows } = await pool.query(`SELECT FROM jobs WHERE kind = 'turn' AND outcome = 'succeeded'`);
    return rows.length === 5;
  };
  await using _ = start({ turn }, { fair: true, atOnce: 1 });
  await waitFor(finished, { describe: "all five" });
  expect(order).toEqual(["a1", "b1", "c1", "a2", "a3"]);

  for (const jobId of ["a4", "a5", "a6"])
    await insertJob(sql, { workspaceId: "a", jobId, kind: "two", input: {} }, now());
  await using _two = start({ two: turn }, { fair: true, atOnce: 2, pollMs: 60_000 });
  const three = async () => {
    const { rows } = await pool.query(`SELECT FROM jobs WHERE kind = 'two' AND outcome = 'succeeded'`);
    return rows.length === 3;
  };
  await waitFor(three, { describe: "three, one after the other" });
  expect(atOnce.every((workspaces) => workspaces.length === 1)).toBe(true);
  expect(order.slice(5)).toEqual(["a4", "a5", "a6"]);
});

test("jobs that wait, run and have ended are measured by kind", async () => {
  const metrics = createMetrics("test");
  const read = async () => (await metrics.metrics()).replaceAll(',service="test"', "");
  const middle = Promise.withResolvers<void>();
  const kinds: Record<string, RunJob> = { slow: () => middle.promise, refused: refuse };
  await using _ = start(kinds, { metrics, atOnce: 1 });
  await using _second = start({ other: async () => {} }, { metrics });
  const first = await queue("slow");
  await reaches(first, "running");
  const second = await queue("refused");
  const running = await read();
  expect(running).toContain('canvass_jobs_running{kind="slow"} 1');
  expect(running).toContain('canvass_jobs_waiting{kind="refused"} 1');
  middle.resolve();
  await reaches(second, "failed");
  await waitFor(async () => (await read()).includes('canvass_job_runs_total{kind="refused",outcome="failed"} 1'), {
    describe: "the second's end",
  });
  expect(await read()).toContain('canvass_job_runs_total{kind="slow",outcome="succeeded"} 1');
  expect(await read()).toContain('canvass_jobs_running{kind="slow"} 0');
});

const refuse: RunJob = () => Promise.reject(new AppError("element_not_found"));
