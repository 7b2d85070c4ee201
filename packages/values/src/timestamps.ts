/** Length limit of a stored date or time: allows a fraction of 38 digits. */
export const longestTimestamp = 64;

const date = /^\d{4}-\d{2}-\d{2}$/;
const time = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?$/;
const dateTime = /^(\d{4}-\d{2}-\d{2})T([\d:.]+)(?:Z|([+-])(\d{2}:\d{2}))?$/i;
const offset = /(?:Z|[+-]\d{2}:\d{2})$/i;
const earliest = Date.parse("0001-01-01T00:00:00.000Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

// Without Temporal, since respondents' browsers since 2022 parse timestamps, too.

/** Returns an ISO date's midnight UTC in milliseconds since 1970; null if invalid. */
export function parseDate(text: string): number | null {
  if (!date.test(text)) return null;
  const timestamp = Date.parse(`${text}T00:00:00.000Z`);
  // `Date` takes February 30 as a day in March.
  return !Number.isNaN(timestamp) && new Date(timestamp).toISOString().startsWith(text) ? timestamp : null;
}

/** Returns milliseconds since midnight for hh:mm or hh:mm:ss with an optional fraction; null if invalid. */
export function parseTime(text: string): number | null {
  const [, hours, minutes, seconds = "0", fraction = ""] = time.exec(text) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59 || hours === undefined) return null;
  const wholeSeconds = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return wholeSeconds * 1_000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** Returns ms since 1970 of an ISO date-time, by default in UTC; a leap second is the next second. Null if invalid. */
export function parseDateTime(text: string): number | null {
  const [, day = "", timeOfDay = "", sign, distance = "00:00"] = dateTime.exec(text) ?? [];
  const isLeap = timeOfDay.slice(5, 8) === ":60";
  const midnight = parseDate(day);
  const sinceMidnight = parseTime(isLeap ? timeOfDay.replace(/:60(?=\.|$)/, ":59") : timeOfDay);
  const fromUtc = parseTime(distance);
  if (midnight === null || sinceMidnight === null || fromUtc === null) return null;
  const timestamp = midnight + sinceMidnight + (sign === "-" ? fromUtc : -fromUtc);
  if (!isLeap) return timestamp;
  return startsMonth(timestamp + 1_000) ? timestamp + 1_000 : null;
}

/** Parses a date-time with an offset (RFC 3339), cut to milliseconds. Null if invalid or beyond years 1 to 9999 UTC. */
export function parseInstant(text: string): Date | null {
  const timestamp = offset.test(text) ? parseDateTime(text) : null;
  return timestamp !== null && timestamp >= earliest && timestamp <= latest ? new Date(timestamp) : null;
}

function startsMonth(timestamp: number): boolean {
  return /-01T00:00:00\./.test(new Date(timestamp).toISOString());
}
