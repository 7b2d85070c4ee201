export type ProgressEvent =
  | { type: "begun"; title: string }
  | { type: "note"; title: string; note: string }
  | { type: "done"; title: string; ms: number }
  | { type: "failed"; title: string; ms: number }
  /** Another step failed, or the start was interrupted. */
  | { type: "abandoned"; title: string };

export type OnProgress = (event: ProgressEvent) => void;

// Parallel steps fail with the error of the first failure, which is reported once.
const reported = new WeakSet();

export async function step<T>(onProgress: OnProgress, title: string, run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  onProgress({ type: "begun", title });
  try {
    const result = await run();
    onProgress({ type: "done", title, ms: performance.now() - startedAt });
    return result;
  } catch (error) {
    const isNew = error instanceof Error && !reported.has(error);
    if (isNew) reported.add(error);
    onProgress(isNew ? { type: "failed", title, ms: performance.now() - startedAt } : { type: "abandoned", title });
    throw error;
  }
}
