/** Length limit of a stored date or time: allows a fraction of 38 digits. */
export const longestTimestamp = 64;

const date = /^\d{4}-\d{2}-\d{2}$/;
const time = /^(\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?$/;
const dateTime = /^(\d{4}-\d{2}-\d{2})T([\d:.]+)(Z|[+-]\d{2}:\d{2})?$/i;
const offset = /(?:Z|[+-]\d{2}:\d{2})$/i;
const earliest = Date.parse("0001-01-01T00:00:00.000Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/** Returns an ISO date's midnight UTC in milliseconds since 1970; null if invalid. */
export function parseDate(text: string): number | null {
  return date.test(text) ? read(() => Temporal.PlainDate.from(text).toZonedDateTime("UTC").epochMilliseconds) : null;
}

/** Returns milliseconds since midnight for hh:mm or hh:mm:ss with an optional fraction; null if invalid. */
export function parseTime(text: string): number | null {
  const [, minute, second = "00", fraction = ""] = time.exec(text) ?? [];
  if (minute === undefined || second === "60") return null;
  return read(() =>
    Temporal.PlainTime.from(clock(minute, second, fraction))
      .since("00:00")
      .total("milliseconds"),
  );
}

/** Returns ms since 1970 of an ISO date-time, by default in UTC; a leap second is the next second. Null if invalid. */
export function parseDateTime(text: string): number | null {
  const [, day, timeOfDay = "", zone = "Z"] = dateTime.exec(text) ?? [];
  const [, minute, second = "00", fraction = ""] = time.exec(timeOfDay) ?? [];
  if (minute === undefined) return null;
  const isLeap = second === "60";
  const written = `${day}T${clock(minute, isLeap ? "59" : second, fraction)}${zone}`;
  const timestamp = read(() => Temporal.Instant.from(written).epochMilliseconds);
  if (!isLeap || timestamp === null) return timestamp;
  return startsMonth(timestamp + 1_000) ? timestamp + 1_000 : null;
}

/** Parses a date-time with an offset (RFC 3339), cut to milliseconds. Null if invalid or beyond years 1 to 9999 UTC. */
export function parseInstant(text: string): Date | null {
  const timestamp = offset.test(text) ? parseDateTime(text) : null;
  return timestamp !== null && timestamp >= earliest && timestamp <= latest ? new Date(timestamp) : null;
}

function clock(minute: string, second: string, fraction: string): string {
  return `${minute}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}`;
}

function startsMonth(timestamp: number): boolean {
  const { day, hour, minute, second } = Temporal.Instant.fromEpochMilliseconds(timestamp).toZonedDateTimeISO("UTC");
  return day === 1 && hour + minute + second === 0;
}

function read(milliseconds: () => number): number | null {
  try {
    return milliseconds();
  } catch {
    return null;
  }
}
