/**
 * An error that the operator can fix. The message names the cause, and the remedy where that does not follow from it. It is
 * printed without a stack trace.
 */
export class OperationalError extends Error {
  override name = "OperationalError";
}

/** The `code` of a system error (`EACCES`, `ENOENT`, …), else "". */
export function systemErrorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
