import type { FileStore } from "../../storage/file-store/file-store.ts";
import type { FileStoreSettings } from "../../storage/file-store/file-store-settings.ts";
import type { JobRun } from "@canvass/jobs";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { ResponseShell } from "../../context.ts";
import type { SurveyDirectory } from "../surveys/survey-directory.ts";
import type { ReadContacts } from "./contact-reader.ts";
import {
  completeExport,
  findExport,
  findUnfinishedRevision,
  lockExports,
  sumFileBytes,
  type StoredExport,
} from "../../storage/exports/exports.ts";
import {
  partsFolder,
  revisionFolder,
  type ExportCheckpoint,
  type ExportHost,
  type ExportInput,
  type ExportWork,
} from "./export-work.ts";
import { requireExportCapacity } from "./export-capacity.ts";
import { createThreads } from "@canvass/fairness/threads";
import { answerCalls } from "./thread-calls.ts";

const dayMs = 86_400_000;

export interface ExportRunner extends Pick<ResponseShell, "database" | "now"> {
  surveys: SurveyDirectory;
  readContacts: ReadContacts;
  databaseUrl: string;
  storage: { settings: FileStoreSettings; files: FileStore };
}

/** Thrown if answers of the survey were erased after the export began: its collected data is obsolete. */
class Outdated extends Error {
  override name = "Outdated";
}

export async function runExport(
  runner: ExportRunner,
  { workspaceId, jobId, input, checkpoint, signal, save }: JobRun<ExportInput, ExportCheckpoint>,
): Promise<void> {
  const { database, storage } = runner;
  const ref = { workspaceId, exportId: jobId };
  let outdated = checkpoint?.revision ?? 0;
  for (let from = checkpoint; ; from = null) {
    const stored = await findExport(database.sql, ref);
    if (!stored || stored.completedAt) return;
    const { surveyId, options, createdAt, revision } = stored;
    const isCurrent = from?.revision === revision;
    // Of runs that were killed, too, and with a complete file: all of it contains erased answers.
    for (; outdated < revision; outdated += 1) await storage.files.deleteFolder(revisionFolder(ref, outdated));
    const own = { ...ref, surveyId, options, revision, createdAt, checkpoint: isCurrent ? from : null };
    const { expectedRows, mostBytes = Infinity } = input;
    const capacityBytes = Math.max(0, mostBytes - (await sumFileBytes(database.sql, workspaceId, jobId)));
    const work = { ...own, expectedRows, capacityBytes, databaseUrl: runner.databaseUrl, files: storage.settings };
    try {
      await runInThread(work, hostOf(runner, stored, mostBytes, save), signal);
      await storage.files.deleteFolder(partsFolder(ref, revision)).catch(() => undefined);
      return;
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
    }
  }
}

function hostOf(
  { database: { pool }, surveys, readContacts, now }: ExportRunner,
  stored: StoredExport,
  mostBytes: number,
  save: JobRun<ExportInput, ExportCheckpoint>["save"],
): ExportHost {
  const { revision } = stored;
  const requireRevision = async (sql: Sql) => {
    if ((await findUnfinishedRevision(sql, stored)) !== revision) throw new Outdated();
  };
  const storeWithinCapacity = (store: (sql: Sql) => Promise<void>) =>
    inTransaction(pool, async (sql) => {
      await lockExports(sql, stored.workspaceId);
      await store(sql);
      requireExportCapacity(await sumFileBytes(sql, stored.workspaceId), mostBytes);
    });
  return {
    save: (progress) =>
      storeWithinCapacity(async (sql) => {
        // First: a process that has lost the export must not delete the file of the one that completed it.
        await save(sql, progress);
        await requireRevision(sql);
      }),
    version: (versionId) => surveys.version({ ...stored, versionId }, stored.options.language),
    contacts: (contactIds) => readContacts({ ...stored, contactIds, fields: stored.options.contactFields ?? [] }),
    currentVersion: async () => {
      const { versionId, versionNumber } = await surveys.collectingState(stored);
      return versionId === "" ? {} : { [versionId]: versionNumber };
    },
    finish: (file) =>
      storeWithinCapacity(async (sql) => {
        // Throws if the export was cancelled meanwhile, or if another process has it.
        await save(sql, { done: 2 * file.rowCount, total: 2 * file.rowCount });
        const completedAt = now();
        const times = { completedAt, expiresAt: new Date(completedAt.getTime() + dayMs) };
        if (!(await completeExport(sql, stored, { revision, ...file, ...times }))) throw new Outdated();
      }),
  };
}

const threads = createThreads<ExportWork, void>({
  program: new URL("./export-thread.ts", import.meta.url),
  // An export that needs more fails alone.
  mostMemory: 256,
  // A start takes as long as a small export.
  idleMs: 10_000,
  // A failed export may leave a transaction or a call to its host under way.
  endOnError: true,
});

/** Isolates an export's CPU time and memory. Throws what the host's functions threw, else what ended the thread. */
async function runInThread(work: ExportWork, host: ExportHost, signal: AbortSignal): Promise<void> {
  let thrown: { error: unknown } | undefined;
  try {
    await threads.run(work, signal, (thread) => answerCalls(thread, { ...host }, (error) => (thrown ??= { error })));
  } catch (error) {
    signal.throwIfAborted();
    throw thrown ? thrown.error : error;
  }
}
