/** A JSON escape that PostgreSQL reads differently: all except escaped quotes and backslashes. */
const OTHER_ESCAPE = /(?<!\\)(?:\\\\)*\\[^"\\]/;
/** Four-digit years: ISO 8601 and PostgreSQL agree on them. */
const FIRST_YEAR = Date.UTC(1000, 0);
const LAST_YEAR = Date.UTC(9999, 0);

/** Writes dates and flat arrays the way PostgreSQL reads them, with less garbage than pg's own conversion. */
export function parameterText(value: unknown): unknown {
  if (value instanceof Date) return isUsual(value) ? value.toISOString() : value;
  if (!Array.isArray(value) || !value.every(isPlain)) return withJson(value);
  const json = JSON.stringify(value);
  // The JSON of a flat array is an array literal, except for its brackets.
  return json.includes("\\") && OTHER_ESCAPE.test(json) ? value : `{${json.slice(1, -1)}}`;
}

function withJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withJson);
  const isDocument = typeof value === "object" && value !== null && !(value instanceof Date);
  // A value without JSON throws here, before anything is sent.
  return isDocument && !ArrayBuffer.isView(value) ? JSON.stringify(value) : value;
}

function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (value instanceof Date) return isUsual(value);
  return value === null || value === undefined || typeof value === "string" || typeof value === "boolean";
}

function isUsual(date: Date): boolean {
  return date.getTime() >= FIRST_YEAR && date.getTime() < LAST_YEAR;
}
