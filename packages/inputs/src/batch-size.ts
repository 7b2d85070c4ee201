import { AppError } from "@canvass/errors";

/** The most items of a batch RPC: clients gather no more, services take no more. */
export const mostBatchItems = 500;

/** Throws `invalid_request` for a batch that would hold up those after it. */
export function requireBatchSize(field: string, items: readonly unknown[]): void {
  if (items.length > mostBatchItems) {
    throw new AppError("invalid_request", { [field]: [`must have at most ${mostBatchItems} items`] });
  }
}
