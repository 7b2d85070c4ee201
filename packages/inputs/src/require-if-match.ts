import { AppError } from "@canvass/errors";

/** Throws `precondition_required` without entity tags; before a body is judged (contract 1.7). */
export function requireIfMatch(tags: readonly string[]): void {
  if (tags.length === 0) throw new AppError("precondition_required");
}
