import { AppError } from "@canvass/errors";
import { Worker } from "node:worker_threads";
import { endOfThread } from "./end-of-thread.ts";
import { fromSentError, type SentError } from "./sent-error.ts";

export interface ThreadsOptions {
  /** A module that calls `answerOwner`. */
  program: URL;
  /** Limit of a thread's heap in MiB: work that needs more fails with `ERR_WORKER_OUT_OF_MEMORY`, alone. */
  mostMemory?: number;
  /**
   * Milliseconds that a thread is kept without work, since it takes long to start. Default 0: it ends with its work.
   */
  idleMs?: number;
  /** Ends a thread whose work failed, because that may have left something under way. Default: it is kept, too. */
  endOnError?: boolean;
}

/**
 * Work that would block the event loop, or take much memory, in threads that can be ended. They keep no process alive.
 */
export interface Threads<Work, Result> extends AsyncDisposable {
  /**
   * Performs the work in a kept thread, else in a new one: limit the calls at once. Throws what the work threw. If the
   * signal aborts first, throws its reason; if the thread ends first, why it ended. Then the thread is gone. Throws
   * `service_unavailable` once closed. `talk` may exchange other messages with the thread meanwhile.
   */
  run(work: Work, signal: AbortSignal, talk?: (thread: Worker) => void): Promise<Result>;
}

/** How the work ended. */
export type Outcome = { result: unknown } | { error: SentError };

interface Thread {
  worker: Worker;
  /** Called with the reason when the thread has ended. */
  fail?: (reason: Error) => void;
}

export function createThreads<Work, Result>(options: ThreadsOptions): Threads<Work, Result> {
  const { idleMs = 0, endOnError = false } = options;
  const threads = new Set<Thread>();
  const idle = new Map<Thread, NodeJS.Timeout>();
  let isClosed = false;

  function take(): Thread {
    const [kept] = idle.keys();
    if (!kept) return start();
    leaveIdle(kept);
    return kept;
  }

  function start(): Thread {
    const thread: Thread = { worker: startWorker(options) };
    threads.add(thread);
    void failWhenEnded(thread);
    return thread;
  }

  async function failWhenEnded(thread: Thread): Promise<void> {
    const reason = await endOfThread(thread.worker);
    threads.delete(thread);
    leaveIdle(thread);
    thread.fail?.(reason);
  }

  function leaveIdle(thread: Thread): void {
    clearTimeout(idle.get(thread));
    idle.delete(thread);
  }

  async function end(thread: Thread): Promise<void> {
    leaveIdle(thread);
    await thread.worker.terminate();
  }

  return {
    async run(work, signal, talk) {
      signal.throwIfAborted();
      if (isClosed) throw new AppError("service_unavailable");
      const thread = take();
      try {
        talk?.(thread.worker);
        const outcome = await outcomeOf(thread, work, signal);
        const isKept = idleMs > 0 && !(endOnError && "error" in outcome);
        if (isKept) idle.set(thread, setTimeout(() => void end(thread), idleMs).unref());
        if ("error" in outcome) throw fromSentError(outcome.error);
        return outcome.result as Result;
      } finally {
        if (!idle.has(thread)) await end(thread);
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await Promise.all([...threads].map(end));
    },
  };
}

function startWorker({ program, mostMemory }: ThreadsOptions): Worker {
  const limits = mostMemory !== undefined && { resourceLimits: { maxOldGenerationSizeMb: mostMemory } };
  const worker = new Worker(program, { execArgv: [], ...limits });
  worker.unref();
  return worker;
}

async function outcomeOf(thread: Thread, work: unknown, signal: AbortSignal): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const leave = () => reject(signal.reason as Error);
  const { worker } = thread;
  worker.on("message", ({ outcome }: { outcome?: Outcome }) => {
    if (outcome) resolve(outcome);
  });
  signal.addEventListener("abort", leave, { once: true });
  thread.fail = reject;
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
    worker.postMessage({ work });
    return await promise;
  } finally {
    delete thread.fail;
    signal.removeEventListener("abort", leave);
    worker.removeAllListeners("message");
  }
}
