import { createThreads } from "@canvass/fairness/threads";
import type { ExportHost, ExportWork } from "./export-work.ts";
import { answerCalls } from "./thread-calls.ts";

/** An export that needs more fails alone. */
const threads = createThreads<ExportWork, void>({
  program: new URL("./export-thread.ts", import.meta.url),
  mostMemory: 256,
});

/** Isolates an export's CPU time and memory. Throws what the host's functions threw, else what ended the thread. */
export async function runInThread(work: ExportWork, host: ExportHost, signal: AbortSignal): Promise<void> {
  let thrown: { error: unknown } | undefined;
  try {
    await threads.run(work, signal, (thread) => answerCalls(thread, { ...host }, (error) => (thrown ??= { error })));
  } catch (error) {
    signal.throwIfAborted();
    throw thrown ? thrown.error : error;
  }
}
