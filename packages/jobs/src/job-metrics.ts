import type { Sql } from "@canvass/postgres";
import { Counter, Gauge, measuredGauge, type Registry } from "@canvass/telemetry";

export interface JobMetrics {
  running: Gauge<"kind">;
  runs: Counter<"kind" | "outcome">;
}

const countEveryMs = 5_000;
const mostCounted = 10_000;

/** Created once per registry, because a process may run several job loops. */
export function createJobMetrics(metrics: Registry, sql: Sql): JobMetrics {
  const known = metrics.getSingleMetric("canvass_jobs_running") as Gauge<"kind"> | undefined;
  if (known) return { running: known, runs: metrics.getSingleMetric("canvass_job_runs_total") as JobMetrics["runs"] };
  measuredGauge(metrics, {
    name: "canvass_jobs_waiting",
    help: `Jobs that no process runs and that have not ended, of all replicas; ${mostCounted} where there are more`,
    labelNames: ["kind"],
    everyMs: countEveryMs,
    measure: () => countWaiting(sql),
  });
  const running = new Gauge({
    name: "canvass_jobs_running",
    help: "Jobs that this process runs",
    labelNames: ["kind"] as const,
    registers: [metrics],
  });
  const runs = new Counter({
    name: "canvass_job_runs_total",
    help: "Runs of jobs that ended, by outcome: `retried` runs go on from their checkpoint later",
    labelNames: ["kind", "outcome"] as const,
    registers: [metrics],
  });
  return { running, runs };
}

async function countWaiting(sql: Sql) {
  const rows = await sql.query<{ kind: string; count: number }>(
    `SELECT kind, count(*)::int AS count FROM (
       SELECT kind FROM jobs WHERE due_at IS NOT NULL AND lease_id IS NULL ORDER BY due_at LIMIT $1::int) AS waiting
     GROUP BY kind`,
    [mostCounted],
  );
  return rows.map(({ kind, count }) => ({ labels: { kind }, value: count }));
}
