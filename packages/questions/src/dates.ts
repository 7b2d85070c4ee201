/** What a date_time question asks for. */
export const dateTimeModes = ["date", "time", "datetime"] as const;
export type DateTimeMode = (typeof dateTimeModes)[number];

const date = /^(\d{4})-(\d{2})-(\d{2})$/;
const time = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?$/;
const dateAndTime = /^([\d-]{10})T([\d:.]+)(Z|[+-]\d{2}:\d{2})?$/i;
const offset = /^([+-])(\d{2}):(\d{2})$/;
const dayMilliseconds = 86_400_000;
const minuteMilliseconds = 60_000;
const earliestInstant = Date.parse("0001-01-01T00:00:00.000Z");
const latestInstant = Date.parse("9999-12-31T23:59:59.999Z");

/** Milliseconds since 1970 of an ISO calendar date at 00:00 UTC; null when it is none. */
function parseDate(text: string): number | null {
  const match = date.exec(text);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  // A day that does not exist (30 February) rolls over into another month.
  return moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day ? moment.getTime() : null;
}

/** Milliseconds since midnight of hh:mm, hh:mm:ss or hh:mm:ss with a fraction, cut to milliseconds; null when it is none. */
function parseTime(text: string, mostSeconds = 59): number | null {
  const match = time.exec(text);
  if (!match) return null;
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > mostSeconds) return null;
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + Number((match[4] ?? "").slice(0, 3).padEnd(3, "0"));
}

/**
 * Milliseconds since 1970 of an ISO date-time. Without an offset it counts as UTC. A leap second, which only ends a month
 * of UTC, counts as the second after it, as in POSIX.
 */
function parseDateTime(text: string): number | null {
  const [, date = "", clock = "", zone = ""] = dateAndTime.exec(text) ?? [];
  const [day, time, shift] = [parseDate(date), parseTime(clock, 60), parseOffset(zone)];
  if (day === null || time === null || shift === null) return null;
  const moment = day + time - shift;
  return clock.startsWith("60", 6) && !startsMonth(moment) ? null : moment;
}

/** Whether a moment lies in the first second of a month of UTC. */
function startsMonth(moment: number): boolean {
  return new Date(moment).getUTCDate() === 1 && moment - Math.floor(moment / dayMilliseconds) * dayMilliseconds < 1_000;
}

function parseOffset(zone: string): number | null {
  const match = offset.exec(zone);
  if (!match) return 0;
  const [hours, minutes] = [Number(match[2]), Number(match[3])];
  if (hours > 23 || minutes > 59) return null;
  return (match[1] === "-" ? -1 : 1) * (hours * 60 + minutes) * minuteMilliseconds;
}

const parsers: Record<DateTimeMode, (text: string) => number | null> = {
  date: parseDate,
  time: parseTime,
  datetime: parseDateTime,
};

/**
 * The position of a date (ms since 1970), time (ms since midnight) or date-time (ms since 1970) written as ISO 8601;
 * null when the text is not one.
 */
export function parseMoment(mode: DateTimeMode, text: string): number | null {
  return text.length > 40 ? null : parsers[mode](text);
}

/** The text of a position: the inverse of `parseMoment`; null for positions no ISO text has. */
export function formatMoment(mode: DateTimeMode, position: number): string | null {
  const moment = new Date(
    mode === "time" ? ((position % dayMilliseconds) + dayMilliseconds) % dayMilliseconds : position,
  );
  if (Number.isNaN(moment.getTime())) return null;
  const text = moment.toISOString();
  if (mode === "date") return text.slice(0, 10);
  return mode === "time" ? text.slice(11, 19) : text;
}

/** The bucket of a position: its month for dates from 1900 to 2199 (else `earlier` or `later`), its hour for times. */
export function momentBucket(mode: DateTimeMode, position: number): string {
  const text = new Date(position).toISOString();
  if (mode === "time") return text.slice(11, 13);
  const year = new Date(position).getUTCFullYear();
  if (year < 1900) return "earlier";
  return year > 2199 ? "later" : text.slice(0, 7);
}

/**
 * The moment a date-time with an offset names (RFC 3339: any number of digits of a fraction, `t` and `z` as well; the
 * seconds may be left out), cut to milliseconds; null for any other text, and outside the years 1 to 9999 of UTC. The one
 * check of every moment that callers send.
 */
export function parseInstant(text: string): Date | null {
  const moment = /(?:Z|[+-]\d{2}:\d{2})$/i.test(text) ? parseDateTime(text) : null;
  return moment !== null && moment >= earliestInstant && moment <= latestInstant ? new Date(moment) : null;
}
