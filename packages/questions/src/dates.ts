import { longestTimestamp, parseDate, parseDateTime, parseTime } from "@canvass/values";

export const dateTimeModes = ["date", "time", "datetime"] as const;
export type DateTimeMode = (typeof dateTimeModes)[number];

const dayMilliseconds = 86_400_000;

const parsers: Record<DateTimeMode, (text: string) => number | null> = {
  date: parseDate,
  time: parseTime,
  datetime: parseDateTime,
};

/** Parses an ISO 8601 date (ms since 1970), time (ms since midnight) or date-time (ms since 1970); null if invalid. */
export function parseTimestamp(mode: DateTimeMode, text: string): number | null {
  return text.length > longestTimestamp ? null : parsers[mode](text);
}

/** Formats a position of `parseTimestamp`, a time without its fraction of a second. Null if it is out of range. */
export function formatTimestamp(mode: DateTimeMode, position: number): string | null {
  const timestamp = new Date(
    mode === "time" ? ((position % dayMilliseconds) + dayMilliseconds) % dayMilliseconds : position,
  );
  if (Number.isNaN(timestamp.getTime())) return null;
  const text = timestamp.toISOString();
  if (mode === "date") return text.slice(0, 10);
  return mode === "time" ? text.slice(11, 19) : text;
}

/** Returns the month of dates from 1900 to 2199 (else `earlier` or `later`), or the hour of times. */
export function timestampBucket(mode: DateTimeMode, position: number): string {
  const text = new Date(position).toISOString();
  if (mode === "time") return text.slice(11, 13);
  const year = new Date(position).getUTCFullYear();
  if (year < 1900) return "earlier";
  return year > 2199 ? "later" : text.slice(0, 7);
}
