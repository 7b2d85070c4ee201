import { AppError } from "@canvass/errors";
import type { UploadFileRequest } from "@canvass/proto/files";
import { rethrowDisconnect } from "./incomplete-upload.ts";

/** Below the slowest real connections. Slower uploads are aborted, because they hold a slot. */
const minimumRate = { ms: 60_000, bytes: 256 * 1_024 };

/**
 * Returns a function that reads the next request and throws `request_timeout` if less than 256 KiB arrive within a
 * minute. The minute starts again after every 256 KiB. Only waiting for the sender counts, not a slow file store.
 */
export function withMinimumRate(
  requests: AsyncIterator<UploadFileRequest>,
): () => Promise<IteratorResult<UploadFileRequest>> {
  let remainingMs = minimumRate.ms;
  let receivedBytes = 0;
  return async () => {
    const start = performance.now();
    const next = await withTimeout(remainingMs, requests.next().catch(rethrowDisconnect));
    remainingMs -= performance.now() - start;
    if (!next.done && next.value.part.case === "piece") receivedBytes += next.value.part.value.length;
    if (receivedBytes >= minimumRate.bytes) [remainingMs, receivedBytes] = [minimumRate.ms, 0];
    return next;
  };
}

async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new AppError("request_timeout")), ms);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
