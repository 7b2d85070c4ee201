import { createKeyedSemaphore, type KeyedSemaphore } from "@canvass/fairness";
import { startJobs, type JobsOptions, type RunJob } from "../start-jobs.ts";

/** Each kind has its own queue, so that small imports do not wait for large ones. */
export interface ImportKinds {
  small: string;
  large: string;
}

const largeRows = 500;

export const importKind = (kinds: ImportKinds, rows: number): string => (rows >= largeRows ? kinds.large : kinds.small);

/** Limits concurrent reads: reading a file takes ten times its size in memory. */
const readLimits = { perKey: 1, total: 2, maxWaiting: 20 };

export interface Imports extends AsyncDisposable {
  reads: KeyedSemaphore;
  nudge(): void;
}

/** Runs at most `atOnce` imports of each kind at once, of a workspace one of each. Serves workspaces round robin. */
export function startImports(
  options: Omit<JobsOptions, "kinds" | "fair" | "atOnce"> & { atOnce: number },
  kinds: ImportKinds,
  run: RunJob,
): Imports {
  const queues = new AsyncDisposableStack();
  const loops = Object.values(kinds).map((kind: string) =>
    queues.use(startJobs({ ...options, kinds: { [kind]: run }, fair: true })),
  );
  return {
    reads: createKeyedSemaphore(readLimits),
    nudge: () => loops.forEach((loop) => loop.nudge()),
    [Symbol.asyncDispose]: () => queues.disposeAsync(),
  };
}
