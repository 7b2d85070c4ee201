import { parentPort } from "node:worker_threads";
import type { Outcome } from "./create-threads.ts";
import { toSentError } from "./sent-error.ts";

/** Performs the work that the owner of this thread (`createThreads`) sends, and sends its result or error back. */
export function answerOwner(perform: (work: never) => unknown): void {
  const port = parentPort!;

  async function outcomeOf(work: unknown): Promise<Outcome> {
    try {
      return { result: await perform(work as never) };
    } catch (error) {
      return { error: toSentError(error) };
    }
  }

  async function answer(work: unknown): Promise<void> {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
    port.postMessage({ outcome: await outcomeOf(work) });
  }

  port.on("message", (message: { work?: unknown }) => {
    if ("work" in message) void answer(message.work);
  });
}
