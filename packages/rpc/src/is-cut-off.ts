const codes = new Set<unknown>([
  "ABORT_ERR",
  "ECONNABORTED",
  "ECONNRESET",
  "EPIPE",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_PREMATURE_CLOSE",
  "ERR_STREAM_WRITE_AFTER_END",
]);

/** Whether an error or its cause only means that a stream or call ended early, as when its reader leaves. */
export function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "AbortError" || codes.has((error as { code?: unknown }).code) || isCutOff(error.cause);
}
