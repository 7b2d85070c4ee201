import type { seriesUnits } from "@canvass/questions";

export type BucketUnit = (typeof seriesUnits)[number];

const steps = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } } as const;

/** Limit of cached times: finding the day of one takes microseconds. */
const mostRemembered = 100_000;

/** Returns a function like `bucketOf`, for many times of which few differ. */
export function createBucketOf(unit: BucketUnit, timeZone: string): (at: Date) => string {
  const known = new Map<number, string>();
  return (at) => {
    let bucket = known.get(at.getTime());
    if (bucket !== undefined) return bucket;
    if (known.size === mostRemembered) known.clear();
    known.set(at.getTime(), (bucket = bucketOf(unit, timeZone, at)));
    return bucket;
  };
}

/** Returns the first day of the time's day, week (from Monday, ISO 8601) or month in a time zone. */
export function bucketOf(unit: BucketUnit, timeZone: string, at: Date): string {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  if (unit === "month") return day.with({ day: 1 }).toString();
  return (unit === "week" ? day.subtract({ days: day.dayOfWeek - 1 }) : day).toString();
}

/** Returns all first days from the first to the last, or null if they are more than `most`. */
export function bucketsBetween(unit: BucketUnit, first: string, last: string, most: number): string[] | null {
  const days: string[] = [];
  const end = Temporal.PlainDate.from(last);
  for (
    let day = Temporal.PlainDate.from(first);
    Temporal.PlainDate.compare(day, end) <= 0;
    day = day.add(steps[unit])
  ) {
    if (days.length === most) return null;
    days.push(day.toString());
  }
  return days;
}
