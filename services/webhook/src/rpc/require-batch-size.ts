import { AppError } from "@canvass/errors";

const MAX_BATCH = 500;

/** Throws `invalid_request` for a batch beyond what the proto allows. */
export function requireBatchSize(field: string, items: readonly unknown[]): void {
  if (items.length > MAX_BATCH) throw new AppError("invalid_request", { [field]: [`must be at most ${MAX_BATCH}`] });
}
