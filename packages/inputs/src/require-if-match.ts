import { AppError } from "@canvass/errors";

/** Throws `precondition_required` if there are no entity tags. Call it before validating the body (contract 1.7). */
export function requireIfMatch(tags: readonly string[]): void {
  if (tags.length === 0) throw new AppError("precondition_required");
}
