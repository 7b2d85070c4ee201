import { AppError } from "@canvass/errors";
import { createKeyedSemaphore } from "@canvass/fairness";
import { createThreads } from "@canvass/fairness/threads";

export type Conversion =
  | { kind: "write"; json: string }
  | { kind: "read"; isYaml: boolean; bytes: Uint8Array; coding: string | undefined; mostBytes: number };

export interface ConvertedText {
  /** YAML, or JSON without blanks. */
  text: string;
  /** The hexadecimal SHA-256 of the inflated body; empty for YAML that was written. */
  digest: string;
}

const program = new URL("./document-worker.ts", import.meta.url);
/** MiB. The largest YAML takes some 400. */
const mostMemory = 1_024;
/** A thread takes half a second to start, so it is kept for a while. */
const idleMs = 30_000;

/**
 * Converts documents in threads, which do not block the event loop and can be ended. Workspaces take turns, separately
 * for JSON and YAML.
 */
export interface DocumentConverter extends AsyncDisposable {
  /**
   * Throws the errors of the body, `service_unavailable` if too many of the workspace wait, and `deadline_exceeded`
   * after `longestMs`.
   */
  convert(workspaceId: string, conversion: Conversion, longestMs: number): Promise<ConvertedText>;
}

export function createDocumentConverter(options = { program, mostMemory, idleMs }): DocumentConverter {
  // YAML takes up to seconds, JSON a tenth of one: each waits for its own kind alone.
  const permits = {
    yaml: createKeyedSemaphore({ perKey: 1, total: 2, maxWaiting: 8 }),
    json: createKeyedSemaphore({ perKey: 1, total: 1, maxWaiting: 8 }),
  };
  const threads = createThreads<Conversion, ConvertedText>(options);
  return {
    async convert(workspaceId, conversion, longestMs) {
      const signal = AbortSignal.timeout(Math.max(1, Math.ceil(longestMs)));
      try {
        const kind = conversion.kind === "write" || conversion.isYaml ? "yaml" : "json";
        return await permits[kind].run(workspaceId, signal, () => threads.run(conversion, signal));
      } catch (error) {
        if (signal.aborted) throw new AppError("deadline_exceeded");
        throw conversion.kind === "read" && isOutOfMemory(error) ? tooHeavy() : error;
      }
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}

const isOutOfMemory = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";

const tooHeavy = () =>
  new AppError(
    "payload_too_large",
    {},
    "The document needs more memory than there is for one. Send a smaller or plainer one.",
  );
