import type { Worker } from "node:worker_threads";

/** Resolves when a thread has ended, with what it threw, else with its exit code. Never rejects. */
export function endOfThread(worker: Worker): Promise<Error> {
  return new Promise((resolve) => {
    const fail = (error: unknown) => resolve(error instanceof Error ? error : new Error(String(error)));
    worker.once("error", fail);
    // What it sent cannot be read, so nobody gets it.
    worker.once("messageerror", fail);
    worker.once("exit", (code) => resolve(new Error(`the thread ended with code ${code}`)));
  });
}
