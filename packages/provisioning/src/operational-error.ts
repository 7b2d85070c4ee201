/**
 * Something a person at the terminal can mend: the message is one complete sentence or two that name the cause and
 * the way out. It is printed as it stands, without a stack.
 */
export class OperationalError extends Error {
  override name = "OperationalError";
}

/** The `code` of a system error (`EACCES`, `ENOENT`, …), or "" when `error` is something else. */
export function systemErrorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}

/** What went wrong, as text, whatever was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
