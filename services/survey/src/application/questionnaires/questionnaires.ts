import { createKeyedSemaphore } from "@canvass/fairness";
import { createThreads } from "@canvass/fairness/threads";
import { validationFailed, type QuestionnaireFormat } from "@canvass/inputs";
import type { ReadQuestionnaire } from "./read-questionnaire.ts";

export interface QuestionnaireFile {
  format: QuestionnaireFormat;
  file: Uint8Array;
}

export type QuestionnaireWork = QuestionnaireFile | { documentJson: string };

/** Memory is in MiB. A file that needs more memory or time fails alone. */
const byDefault = { memory: 512, ms: 20_000, idleMs: 30_000 };

/** Reads and writes files of other systems in threads that can be ended. Workspaces take turns. */
export interface Questionnaires {
  /** Throws `validation_failed`, at places of the file, `service_unavailable`, and the signal's reason if it aborts. */
  read: (workspaceId: string, file: QuestionnaireFile, signal: AbortSignal) => Promise<ReadQuestionnaire>;
  /** Like `read`, but once it is begun, a file is read to its end, also if the signal aborts. */
  readToEnd: (workspaceId: string, file: QuestionnaireFile, signal: AbortSignal) => Promise<ReadQuestionnaire>;
  /** Writes a survey's document as an XLSForm. Throws the signal's reason if it aborts. */
  write(workspaceId: string, documentJson: string, signal: AbortSignal): Promise<Uint8Array>;
}

export function createQuestionnaires({ memory, ms, idleMs } = byDefault): Questionnaires {
  const permits = createKeyedSemaphore({ perKey: 1, total: 2, maxWaiting: 8 });
  const program = new URL("./questionnaire-thread.ts", import.meta.url);
  const threads = createThreads<QuestionnaireWork, unknown>({ program, mostMemory: memory, idleMs });
  const run = (workspaceId: string, work: QuestionnaireWork, caller: AbortSignal, goesOn = false) =>
    permits.run(workspaceId, caller, async () => {
      const timeout = AbortSignal.timeout(ms);
      try {
        return await threads.run(work, goesOn ? timeout : AbortSignal.any([timeout, caller]));
      } catch (error) {
        const isHeavy = (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
        if (!isHeavy && !timeout.aborted) throw error;
        throw validationFailed([{ path: "file", message: "takes too long, or too much memory" }]);
      }
    });
  return {
    read: (workspaceId, file, signal) => run(workspaceId, file, signal) as Promise<ReadQuestionnaire>,
    readToEnd: (workspaceId, file, signal) => run(workspaceId, file, signal, true) as Promise<ReadQuestionnaire>,
    write: (workspaceId, documentJson, signal) => run(workspaceId, { documentJson }, signal) as Promise<Uint8Array>,
  };
}
