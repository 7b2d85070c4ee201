import { endOfThread } from "@canvass/telemetry";
import { Worker } from "node:worker_threads";
import type { ExportHost, ExportWork } from "./export-work.ts";
import { answerCalls, fromSentError, type SentError } from "./thread-calls.ts";

/** Heap limit of a thread in MiB: an export that needs more fails alone. */
const mostMemory = 256;

/** Isolates an export's CPU time and memory. Throws what the host's functions threw, else what ended the thread. */
export async function runInThread(work: ExportWork, host: ExportHost, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("./export-thread.ts", import.meta.url), {
    workerData: work,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mostMemory },
  });
  let thrown: { error: unknown } | undefined;
  answerCalls(worker, { ...host }, (error) => (thrown ??= { error }));
  const stop = () => void worker.terminate();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const failure = await outcomeOf(worker);
    signal.throwIfAborted();
    if (failure) throw thrown ? thrown.error : failure;
  } finally {
    signal.removeEventListener("abort", stop);
    await worker.terminate();
  }
}

function outcomeOf(worker: Worker): Promise<Error | undefined> {
  return new Promise((resolve) => {
    worker.on("message", (message: { outcome?: { error: SentError | null } }) => {
      if (message.outcome) resolve(message.outcome.error ? fromSentError(message.outcome.error) : undefined);
    });
    void endOfThread(worker).then(resolve);
  });
}
