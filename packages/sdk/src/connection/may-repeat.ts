import { readFailure } from "../errors/read-failure.ts";

const safe = new Set(["GET", "HEAD"]);
/** Statuses of a proxy that answers instead of the API for a while. */
const passingStatuses = new Set([502, 503, 504]);

/** Whether a second request cannot have a second effect: it only reads, or has an idempotency key. */
export function isRepeatable(request: Request): boolean {
  return safe.has(request.method) || request.headers.has("idempotency-key");
}

/** Whether the same request may be sent again after this response. A 429 says that nothing was done. */
export async function mayRepeat(request: Request, response: Response): Promise<boolean> {
  if (response.ok) return false;
  const failure = await readFailure(response.clone());
  const passes = failure?.error.retryable ?? passingStatuses.has(response.status);
  return passes && (response.status === 429 || isRepeatable(request));
}
