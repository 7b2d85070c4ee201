import { openFileStore } from "../../storage/file-store/open-file-store.ts";
import type { FileStore } from "../../storage/file-store/file-store.ts";
import type { FileStoreSettings } from "../../storage/file-store/file-store-settings.ts";
import { startJobs, startLoop, type RunJob } from "@canvass/jobs";
import type { ResponseShell } from "../../context.ts";
import { findDeletableExports, markFilesDeleted } from "../../storage/exports/exports.ts";
import { exportFolder } from "./export-work.ts";
import { runExport, type ExportRunner } from "./run-export.ts";

/** Job kinds. Each has its own lane, so that small exports do not wait for large ones. */
export const exportKinds = { small: "export", large: "large_export" } as const;
/** From this many respondents an export takes several seconds. */
const largeRows = 10_000;
const cleaning = { atOnce: 100, pauseMs: 60_000 };

export interface Exports extends AsyncDisposable {
  files: FileStore;
  /** Runs new exports without waiting for the next poll. */
  nudge(): void;
  /** Deletes files of expired exports soon, in the background. */
  clean(): void;
}

export const exportKind = (expectedRows: number): string =>
  expectedRows >= largeRows ? exportKinds.large : exportKinds.small;

export function startExports(
  shell: ResponseShell,
  { surveys, readContacts }: Pick<ExportRunner, "surveys" | "readContacts">,
  { databaseUrl, settings }: { databaseUrl: string; settings: FileStoreSettings },
): Exports {
  const { database, now, log, metrics } = shell;
  const parts = new AsyncDisposableStack();
  const files = parts.use(openFileStore(settings));
  const runner: ExportRunner = { database, now, surveys, readContacts, databaseUrl, storage: { settings, files } };
  const run: RunJob = (job) => runExport(runner, job);
  const { sql } = database;
  const lanes = Object.values(exportKinds).map((kind) =>
    parts.use(startJobs({ sql, kinds: { [kind]: run }, now, log, metrics, atOnce: 1, fair: true })),
  );
  const cleaner = parts.use(
    startLoop({
      minGapMs: 20,
      maxBackOffMs: 60_000,
      round: async () => {
        const deletable = await findDeletableExports(sql, now(), cleaning.atOnce);
        const failures: unknown[] = [];
        for (const ref of deletable) {
          try {
            await files.deleteFolder(exportFolder(ref));
            await markFilesDeleted(sql, ref, now());
          } catch (error) {
            failures.push(error);
          }
        }
        // Only now, so that one broken folder does not keep the files of other exports.
        if (failures.length > 0) throw failures[0];
        return deletable.length < cleaning.atOnce ? cleaning.pauseMs : 0;
      },
      onFailure: (err, inARow) => {
        if (inARow === 1) log.warn({ err }, "files of exports could not be deleted");
      },
    }),
  );
  return {
    files,
    nudge: () => lanes.forEach((lane) => lane.nudge()),
    clean: () => cleaner.nudge(),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
