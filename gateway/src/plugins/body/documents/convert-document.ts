import { AppError, type ErrorCode, type ErrorDetails } from "@canvass/errors";
import { createKeyedSemaphore } from "@canvass/fairness";
import { endOfThread } from "@canvass/telemetry";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

export type Conversion =
  | { kind: "write"; json: string }
  | { kind: "read"; isYaml: boolean; bytes: Uint8Array; coding: string | undefined; mostBytes: number };

/** YAML, or JSON without blanks and with the hexadecimal SHA-256 of what was sent. */
export interface ConvertedText {
  text: string;
  digest: string;
}

export type Converted = ConvertedText | { code: ErrorCode; details: ErrorDetails; message: string };

const program = new URL("./document-worker.ts", import.meta.url);
/** The largest YAML takes some 400 MB. */
const resourceLimits = { maxOldGenerationSizeMb: 1_024 };
/** A thread takes half a second to start, so it is kept for a while. */
const idleMs = 30_000;

interface Thread {
  worker: Worker;
  /** Rejects when the thread has ended. */
  ended: Promise<never>;
  idle?: NodeJS.Timeout;
}

/** Converts documents in threads, which hold up nothing and can be ended. Workspaces take turns. */
export interface DocumentConverter extends AsyncDisposable {
  /** Throws the errors of the body, `service_unavailable` if too many wait, and `deadline_exceeded` after `longestMs`. */
  convert(workspaceId: string, conversion: Conversion, longestMs: number): Promise<ConvertedText>;
}

export function createDocumentConverter(): DocumentConverter {
  const permits = createKeyedSemaphore({ perKey: 1, total: 2, maxWaiting: 8 });
  const idle = new Set<Thread>();

  function takeThread(): Thread {
    const [kept] = idle;
    if (!kept) {
      const started = startThread();
      started.ended.catch(() => idle.delete(started));
      return started;
    }
    idle.delete(kept);
    clearTimeout(kept.idle);
    return kept;
  }

  async function end(thread: Thread): Promise<void> {
    idle.delete(thread);
    clearTimeout(thread.idle);
    await thread.worker.terminate();
  }

  function keep(thread: Thread): void {
    idle.add(thread);
    thread.idle = setTimeout(() => void end(thread), idleMs).unref();
  }

  async function convertInThread(conversion: Conversion, signal: AbortSignal): Promise<ConvertedText> {
    const thread = takeThread();
    const { worker, ended } = thread;
    try {
      const answer = once(worker, "message", { signal });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
      worker.postMessage(conversion);
      const [converted] = (await Promise.race([answer, ended])) as [Converted];
      keep(thread);
      return given(converted);
    } finally {
      if (!idle.has(thread)) await end(thread);
    }
  }

  return {
    async convert(workspaceId, conversion, longestMs) {
      const signal = AbortSignal.timeout(Math.max(1, Math.ceil(longestMs)));
      try {
        return await permits.run(workspaceId, signal, () => convertInThread(conversion, signal));
      } catch (error) {
        throw signal.aborted ? new AppError("deadline_exceeded") : error;
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...idle].map(end));
    },
  };
}

function startThread(): Thread {
  const worker = new Worker(program, { execArgv: [], resourceLimits });
  worker.unref();
  const ended = endOfThread(worker).then((error) => Promise.reject(error));
  // A thread may also end while nobody waits for it.
  ended.catch(() => undefined);
  return { worker, ended };
}

function given(converted: Converted): ConvertedText {
  if ("code" in converted) throw new AppError(converted.code, converted.details, converted.message);
  return converted;
}
