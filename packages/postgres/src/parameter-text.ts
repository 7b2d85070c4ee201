/** An escape of JSON that PostgreSQL reads otherwise: all but those of quotes and backslashes. */
const OTHER_ESCAPE = /(?<!\\)(?:\\\\)*\\[^"\\]/;
/** Years of four digits, which ISO 8601 and PostgreSQL write alike. */
const FIRST_YEAR = Date.UTC(1000, 0);
const LAST_YEAR = Date.UTC(9999, 0);

/**
 * A parameter as PostgreSQL reads it, where that is quick to write: dates, and flat arrays of texts, finite numbers, booleans, dates and
 * nulls, which JSON quotes as an array literal does. All else is left for pg, whose own way made a fifth of the garbage of a
 * webhook.
 */
export function parameterText(value: unknown): unknown {
  if (value instanceof Date) return isUsual(value) ? value.toISOString() : value;
  if (!Array.isArray(value) || !value.every(isPlain)) return value;
  const json = JSON.stringify(value);
  return json.includes("\\") && OTHER_ESCAPE.test(json) ? value : `{${json.slice(1, -1)}}`;
}

function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (value instanceof Date) return isUsual(value);
  return value === null || value === undefined || typeof value === "string" || typeof value === "boolean";
}

function isUsual(date: Date): boolean {
  return date.getTime() >= FIRST_YEAR && date.getTime() < LAST_YEAR;
}
