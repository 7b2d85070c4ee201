import { AppError } from "@canvass/errors";

// Socket errors, SQLSTATEs of a server that shuts down or is full, and Prisma's error codes.
const socketErrors = new Set(
  `ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT EPIPE ENOTFOUND EAI_AGAIN ENOENT EHOSTUNREACH EHOSTDOWN ENETUNREACH
   ENETDOWN`.split(/\s+/),
);
const serverGone = new Set(["57P01", "57P02", "57P03", "57P05", "53100", "53300", "25006"]);
// P2028: no connection for a transaction in time, or the transaction exceeded its limit.
const prismaGone = new Set(["P1000", "P1001", "P1002", "P1008", "P1017", "P2024", "P2028"]);
const pgMessages =
  /connection terminated|timeout exceeded when trying to connect|not queryable|client was closed|cannot use a pool after|not currently accepting connections/i;

interface FailedQuery {
  code?: unknown;
  /** The server's code, as Prisma's adapter stores it. */
  originalCode?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/** True if the database is unreachable, shutting down, read-only, or out of connections or disk space. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, message, cause, meta } = error as FailedQuery;
  if (typeof code === "string") {
    if (socketErrors.has(code) || serverGone.has(code) || prismaGone.has(code) || code.startsWith("08")) return true;
  }
  if (typeof message === "string" && pgMessages.test(message)) return true;
  return isDatabaseUnavailable(cause) || isDatabaseUnavailable(meta?.driverAdapterError);
}

/** SQLSTATEs of a statement and a transaction that took too long. */
const timeouts: readonly unknown[] = ["57014", "25P04"];

/** True for a timeout of the server, usually of a statement that waited for a lock. */
function isTimeout(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, originalCode, cause, meta } = error as FailedQuery;
  if (timeouts.includes(code) || timeouts.includes(originalCode)) return true;
  return isTimeout(cause) || isTimeout(meta?.driverAdapterError);
}

/** Maps an error to `service_unavailable` or `deadline_exceeded`; undefined for other errors. For `recognizeError`. */
export function recognizeDatabaseError(error: unknown): AppError | undefined {
  if (isDatabaseUnavailable(error)) return new AppError("service_unavailable");
  return isTimeout(error) ? new AppError("deadline_exceeded") : undefined;
}
