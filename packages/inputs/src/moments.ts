/** The longest text of a moment that is kept as it was written: room for 40 digits of a fraction. */
export const longestMoment = 64;

const date = /^\d{4}-\d{2}-\d{2}$/;
const time = /^(\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?$/;
const dateTime = /^(\d{4}-\d{2}-\d{2})T([\d:.]+)(Z|[+-]\d{2}:\d{2})?$/i;
const offset = /(?:Z|[+-]\d{2}:\d{2})$/i;
const earliest = Date.parse("0001-01-01T00:00:00.000Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/** Milliseconds since 1970 of an ISO calendar date at 00:00 UTC; null when it is none. */
export function parseDate(text: string): number | null {
  return date.test(text) ? read(() => Temporal.PlainDate.from(text).toZonedDateTime("UTC").epochMilliseconds) : null;
}

/** Milliseconds since midnight of hh:mm, hh:mm:ss or hh:mm:ss with a fraction, cut to milliseconds; null when it is none. */
export function parseTime(text: string): number | null {
  const [, minute, second = "00", fraction = ""] = time.exec(text) ?? [];
  if (minute === undefined || second === "60") return null;
  return read(() =>
    Temporal.PlainTime.from(clock(minute, second, fraction))
      .since("00:00")
      .total("milliseconds"),
  );
}

/**
 * Milliseconds since 1970 of an ISO date-time. Without an offset it counts as UTC. A leap second, which only ends a month
 * of UTC, counts as the second after it, as in POSIX.
 */
export function parseDateTime(text: string): number | null {
  const [, day, timeOfDay = "", zone = "Z"] = dateTime.exec(text) ?? [];
  const [, minute, second = "00", fraction = ""] = time.exec(timeOfDay) ?? [];
  if (minute === undefined) return null;
  const isLeap = second === "60";
  const written = `${day}T${clock(minute, isLeap ? "59" : second, fraction)}${zone}`;
  const moment = read(() => Temporal.Instant.from(written).epochMilliseconds);
  if (!isLeap || moment === null) return moment;
  return startsMonth(moment + 1_000) ? moment + 1_000 : null;
}

/**
 * The moment a date-time with an offset names (RFC 3339: any number of digits of a fraction, `t` and `z` as well; the
 * seconds may be left out), cut to milliseconds; null for any other text, and outside the years 1 to 9999 of UTC. The one
 * check of every moment that callers send.
 */
export function parseInstant(text: string): Date | null {
  const moment = offset.test(text) ? parseDateTime(text) : null;
  return moment !== null && moment >= earliest && moment <= latest ? new Date(moment) : null;
}

/** Temporal takes at most nine digits of a fraction; three are kept. */
function clock(minute: string, second: string, fraction: string): string {
  return `${minute}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}`;
}

/** Whether a moment lies in the first second of a month of UTC. */
function startsMonth(moment: number): boolean {
  const { day, hour, minute, second } = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO("UTC");
  return day === 1 && hour + minute + second === 0;
}

/** Temporal throws for a day or time that does not exist. */
function read(milliseconds: () => number): number | null {
  try {
    return milliseconds();
  } catch {
    return null;
  }
}
