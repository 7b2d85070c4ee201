/**
 * Milliseconds that `Retry-After` asks to wait, given as seconds or as a date (RFC 9110, 10.2.3). Undefined without a
 * readable one.
 */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
