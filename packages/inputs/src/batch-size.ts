import { AppError } from "@canvass/errors";

export const mostBatchItems = 500;

/** Throws `invalid_request` for a larger batch, because it would delay other requests. */
export function requireBatchSize(field: string, items: readonly unknown[]): void {
  if (items.length > mostBatchItems) {
    throw new AppError("invalid_request", { [field]: [`must have at most ${mostBatchItems} items`] });
  }
}
