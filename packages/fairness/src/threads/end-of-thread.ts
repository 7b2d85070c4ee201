import type { Worker } from "node:worker_threads";

/**
 * Resolves when a thread has ended, with its error or one that names its exit code, or has sent a message that cannot
 * be read. Never rejects.
 */
export function endOfThread(worker: Worker): Promise<Error> {
  return new Promise((resolve) => {
    const fail = (error: unknown) => resolve(error instanceof Error ? error : new Error(String(error)));
    worker.once("error", fail);
    // Such a message is lost, so the caller would wait for it forever.
    worker.once("messageerror", fail);
    worker.once("exit", (code) => resolve(new Error(`the thread ended with code ${code}`)));
  });
}
