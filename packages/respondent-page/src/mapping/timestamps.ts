const wallTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const offset = /(?:Z|[+-]\d{2}:\d{2})$/i;

const pad = (value: number) => String(Math.trunc(value)).padStart(2, "0");

/** Converts a date-time for a browser's field: local time without offset. Input without offset is in UTC. */
export function localTimestamp(text: string): string {
  const timestamp = new Date(offset.test(text) ? text : `${text}Z`);
  if (Number.isNaN(timestamp.getTime())) return text;
  const local = new Date(timestamp.getTime() - timestamp.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, local.slice(17, 19) === "00" ? 16 : 19);
}

/** Adds the local offset: `2026-01-31T17:30+01:00`. */
export function timestampWithOffset(text: string): string {
  const timestamp = new Date(text);
  if (!wallTime.test(text) || Number.isNaN(timestamp.getTime())) return text;
  const minutes = -timestamp.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${text}${minutes < 0 ? "-" : "+"}${pad(size / 60)}:${pad(size % 60)}`;
}
