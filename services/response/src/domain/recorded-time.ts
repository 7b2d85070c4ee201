const quarterHourMs = 15 * 60 * 1000;

/**
 * The time under which something is kept. On a survey with full anonymity only the day is (contract 7.6): midnight
 * UTC of the day it is in the workspace's time zone.
 */
export function recordedTime(at: Date, isAnonymous: boolean, timeZone: string): Date {
  return isAnonymous ? new Date(`${dayIn(timeZone, at)}T00:00:00.000Z`) : at;
}

/** How a completion time is shown: ISO 8601 date-time, or only the date with full anonymity. */
export function shownCompletion(recorded: Date, isAnonymous: boolean): string {
  const text = recorded.toISOString();
  return isAnonymous ? text.slice(0, 10) : text;
}

/**
 * The quarter of an hour a completion is counted in. With full anonymity it is the first one of the local day, which
 * tells the day and nothing more.
 */
export function completionSlot(at: Date, isAnonymous: boolean, timeZone: string): Date {
  const counted = isAnonymous ? startOfDay(timeZone, dayIn(timeZone, at)) : at;
  return new Date(Math.floor(counted.getTime() / quarterHourMs) * quarterHourMs);
}

/** The date (YYYY-MM-DD) it is at that moment in a time zone. */
export function dayIn(timeZone: string, at: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** The moment a date begins in a time zone. */
export function startOfDay(timeZone: string, day: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds);
}

/** The last `count` dates of a time zone up to today, oldest first. */
export function lastDays(timeZone: string, now: Date, count: number): string[] {
  const today = Temporal.PlainDate.from(dayIn(timeZone, now));
  return Array.from({ length: count }, (_, index) => today.subtract({ days: count - 1 - index }).toString());
}
