import { errorCatalogue, type AppError, type ErrorCode } from "@canvass/errors";
import { acceptedCodings, codingHeader } from "../body/body-coding.ts";
import { metaOf, type Meta } from "../responses/envelope.ts";
import type { TokenWords } from "./session-words.ts";

/** The error envelope of contract 1.3. */
export interface ErrorResponse {
  success: false;
  error: { code: ErrorCode; message: string; suggestion: string; retryable: boolean; details: Record<string, unknown> };
  meta: Meta;
}

export function errorResponse(error: AppError, requestId: string, at: Date, words?: TokenWords): ErrorResponse {
  const { message, suggestion, ...fields } = errorFields(error);
  const texts = { message: words?.message ?? message, suggestion: words?.suggestion ?? suggestion };
  return { success: false, error: { ...fields, ...texts }, meta: metaOf(requestId, at) };
}

export function errorFields({ code, message, details }: AppError): ErrorResponse["error"] {
  const { suggestion, retryable } = errorCatalogue[code];
  return { code, message, suggestion, retryable, details };
}

export function errorHeaders(
  { code, details }: Pick<AppError, "code" | "details">,
  at: Date,
  words?: TokenWords,
): Record<string, string> {
  const { status } = errorCatalogue[code];
  if (words) return { "www-authenticate": words.challenge };
  // RFC 6750, 3: names the type of token.
  if (status === 401)
    return { "www-authenticate": code === "unauthorized" ? bearer : `${bearer}, error="invalid_token"` };
  // RFC 9110, 12.5.3: only for a refused coding, not for a media type.
  if (status === 415 && codingHeader in details) return { "accept-encoding": acceptedCodings };
  if (status === 503 || status === 504 || code === "idempotency_in_progress") return { "retry-after": "1" };
  if (code === "survey_locked") return { "retry-after": String(secondsUntil(details["expiresAt"], at)) };
  // Limits of calls set `Retry-After` themselves.
  if (code === "rate_limited") return untilPlaceIsFree(details);
  return {};
}

/** Seconds until a slot may be free. A test takes at most ten; an uploaded file counts until an answer names it. */
const placesFreeAfter = {
  concurrent_streams: "1",
  concurrent_reports: "1",
  concurrent_uploads: "1",
  concurrent_files: "1",
  concurrent_unread_bytes: "1",
  concurrent_computations: "1",
  held_characters: "1",
  concurrent_tests: "10",
  waiting_exports: "10",
  waiting_imports: "10",
  open_ranges: "60",
  unanswered_files: "60",
};

function untilPlaceIsFree(details: Record<string, unknown>): Record<string, string> {
  const held = Object.entries(placesFreeAfter).find(([name]) => name in details);
  return held ? { "retry-after": held[1] } : {};
}

/** Seconds for `Retry-After` (RFC 9110, 10.2.3). At least 1, even if the time is over. */
function secondsUntil(timestamp: unknown, at: Date): number {
  const rest = typeof timestamp === "string" ? Date.parse(timestamp) - at.getTime() : 0;
  return Math.max(1, Math.ceil(rest / 1000));
}

const bearer = 'Bearer realm="canvass"';
