import { AppError, type ErrorCode } from "@canvass/errors";
import { isConflict, isDatabaseUnavailable } from "@canvass/postgres";

const outages: ReadonlySet<ErrorCode> = new Set(["service_unavailable", "deadline_exceeded", "rate_limited"]);

/** True if a dependency is unavailable or transactions conflict: the event itself is not at fault. */
export function isOutage(error: unknown): boolean {
  if (error instanceof AppError) return outages.has(error.code);
  return isDatabaseUnavailable(error) || isConflict(error);
}
