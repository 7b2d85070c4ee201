import { createKeyedSemaphore, type KeyedSemaphore } from "@canvass/fairness";
import { startJobs, type RunJob } from "@canvass/jobs";
import type { DistributionShell } from "../../context.ts";
import { runImport } from "./run-import.ts";

/** Each kind has its own queue, so that small imports do not wait for large ones. */
const kinds = { small: "import", large: "large_import" } as const;
const largeRows = 500;

export const importKind = (rows: number): string => (rows >= largeRows ? kinds.large : kinds.small);

/** Limits concurrent reads: reading a file takes ten times its size in memory. */
const readLimits = { perKey: 1, total: 2, maxWaiting: 20 };

export interface Imports extends AsyncDisposable {
  reads: KeyedSemaphore;
  nudge(): void;
}

/** Of each kind at most two imports run at once, one per workspace. Workspaces are served round robin. */
export function startImports(shell: DistributionShell): Imports {
  const { database, now, log, metrics } = shell;
  const run: RunJob = (job) => runImport(shell, job);
  const queues = new AsyncDisposableStack();
  const loops = Object.values(kinds).map((kind) =>
    queues.use(startJobs({ sql: database.sql, kinds: { [kind]: run }, now, log, metrics, atOnce: 2, fair: true })),
  );
  return {
    reads: createKeyedSemaphore(readLimits),
    nudge: () => loops.forEach((loop) => loop.nudge()),
    [Symbol.asyncDispose]: () => queues.disposeAsync(),
  };
}
