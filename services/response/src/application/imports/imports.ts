import { createKeyedSemaphore, type KeyedSemaphore } from "@canvass/fairness";
import { startJobs, type RunJob } from "@canvass/jobs";
import type { ResponseShell } from "../../context.ts";
import { runImport, type ImportRunner } from "./run-import.ts";

/** Each kind has its own lane, so that small imports do not wait for large ones. */
const kinds = { small: "response_import", large: "large_response_import" } as const;
const largeRows = 500;

export const importKind = (rows: number): string => (rows >= largeRows ? kinds.large : kinds.small);

/** Limits concurrent reads: reading a file takes ten times its size in memory. */
const readLimits = { perKey: 1, total: 2, maxWaiting: 20 };

export interface Imports extends AsyncDisposable {
  reads: KeyedSemaphore;
  nudge(): void;
}

/** Each lane runs one import at a time. Workspaces are served round robin. */
export function startImports(
  shell: ResponseShell,
  { surveys, startVersion }: Pick<ImportRunner, "surveys" | "startVersion">,
): Imports {
  const { database, limitWrites, outbox, now, log, metrics } = shell;
  const run: RunJob = (job) => runImport({ database, limitWrites, outbox, now, surveys, startVersion }, job);
  const lanes = new AsyncDisposableStack();
  const loops = Object.values(kinds).map((kind) =>
    lanes.use(startJobs({ sql: database.sql, kinds: { [kind]: run }, now, log, metrics, atOnce: 1, fair: true })),
  );
  return {
    reads: createKeyedSemaphore(readLimits),
    nudge: () => loops.forEach((loop) => loop.nudge()),
    [Symbol.asyncDispose]: () => lanes.disposeAsync(),
  };
}
