export interface ExportProgress {
  completedAt: Date | null;
  expiresAt: Date | null;
  outcome: "succeeded" | "failed" | "cancelled" | null;
  cancelRequested: boolean;
  hasBegun: boolean;
  done: number;
  total: number | null;
}

export type ExportStatus = "queued" | "processing" | "completed" | "failed" | "cancelled" | "expired";

export function exportStatus(progress: ExportProgress, now: Date): ExportStatus {
  const { completedAt, expiresAt, outcome, cancelRequested, hasBegun } = progress;
  if (completedAt) return expiresAt && expiresAt <= now ? "expired" : "completed";
  if (outcome === "failed") return "failed";
  if (outcome === "cancelled" || cancelRequested) return "cancelled";
  return hasBegun ? "processing" : "queued";
}

/** Returns 100 only once the file exists. */
export function percentComplete({ completedAt, done, total }: ExportProgress): number {
  if (completedAt) return 100;
  return total ? Math.min(99, Math.floor((done / total) * 100)) : 0;
}
