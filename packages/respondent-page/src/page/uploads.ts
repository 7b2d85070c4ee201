import type { Session } from "../saving/link-api.ts";
import { Refusal } from "../saving/refusal.ts";
import { retryGone } from "../saving/retry-gone.ts";
import { uploadFile, type FileItem, type Upload } from "../saving/upload-file.ts";

export type SendFile = (upload: Upload) => Promise<FileItem>;

const firstWaitMs = 1_000;
const longestWaitMs = 10_000;

/**
 * Returns a function that uploads a file. It retries with backoff while the connection is lost or the server is busy,
 * and throws once the page has `ended`: the answer would be of a page that is no longer shown.
 */
export function createUploads(code: string, session: () => Promise<Session>, ended: AbortSignal): SendFile {
  return async (upload) => {
    for (let failures = 0; ; failures += 1) {
      try {
        ended.throwIfAborted();
        const own = await session();
        const stored = await retryGone(() => uploadFile(code, own, upload));
        ended.throwIfAborted();
        return stored;
      } catch (error) {
        const isOver = ended.aborted || upload.cancelled.aborted;
        if (isOver || (error instanceof Refusal && !error.isRetryable)) throw error;
        upload.onProgress(0);
        const atLeastMs = error instanceof Refusal ? error.retryAfterMs : 0;
        await waitFor(retryWaitMs(failures, atLeastMs), upload.cancelled);
      }
    }
  };
}

/** Backoff with jitter, so that respondents refused at once do not all retry at once. `spread` is from 0 to 1. */
export function retryWaitMs(failures: number, atLeastMs: number, spread = Math.random()): number {
  const wait = Math.max(atLeastMs, Math.min(longestWaitMs, firstWaitMs * 2 ** failures));
  return Math.max(atLeastMs, wait / 2) + (spread * wait) / 2;
}

function waitFor(ms: number, cancelled: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const over = new AbortController();
  const end = () => {
    clearTimeout(timer);
    over.abort();
    resolve();
  };
  const timer = setTimeout(end, ms);
  addEventListener("online", end, { signal: over.signal });
  cancelled.addEventListener("abort", end, { signal: over.signal });
  return promise;
}
