import { AppError } from "@canvass/errors";

const MOST = 500;

/** Throws `invalid_request` for a batch that would hold up those after it. */
export function requireBatchSize(size: number): void {
  if (size > MOST) throw new AppError("invalid_request", { batch: [`must have at most ${MOST} items`] });
}
