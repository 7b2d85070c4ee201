import { startJobs, type RunJob } from "@canvass/jobs";
import { createFairQueue, type FairQueue } from "@canvass/rpc";
import type { DistributionShell } from "../../context.ts";
import { runImport } from "./run-import.ts";

/** Kinds of jobs. Each has a lane of its own, so that a few rows do not wait for many of others. */
const kinds = { small: "import", large: "large_import" } as const;
const largeRows = 500;

export const importKind = (rows: number): string => (rows >= largeRows ? kinds.large : kinds.small);

/** A file takes ten times its size while it is read. */
const readTurns = { perOwner: 1, together: 2, mostWaiting: 20 };

/** The imports of this process. */
export interface Imports extends AsyncDisposable {
  /** Of requests whose file is read. */
  turns: FairQueue;
  /** Looks for new jobs now. */
  nudge(): void;
}

/** Runs imports: of a workspace one in each lane, two workspaces at once, and all take turns. */
export function startImports(shell: DistributionShell): Imports {
  const { database, now, log, metrics } = shell;
  const run: RunJob = (job) => runImport(shell, job);
  const lanes = new AsyncDisposableStack();
  const loops = Object.values(kinds).map((kind) =>
    lanes.use(startJobs({ sql: database.sql, kinds: { [kind]: run }, now, log, metrics, atOnce: 2, fair: true })),
  );
  return {
    turns: createFairQueue(readTurns),
    nudge: () => loops.forEach((loop) => loop.nudge()),
    [Symbol.asyncDispose]: () => lanes.disposeAsync(),
  };
}
