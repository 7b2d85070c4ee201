import { dayIn, startOfDay } from "@canvass/values";

/** SQL: whether a respondent `r` started at the first bound or later, and before the second. */
export const startsBetweenSql = (from: string, to: string): string =>
  `r.started_at >= ${boundSql(from)} AND r.started_at < ${boundSql(to)}`;

const boundSql = (bounds: string) => `(${bounds}::timestamptz[])[1 + r.is_anonymous::int]`;

/**
 * Returns a bound as the parameter of `startsBetweenSql`: the time, and for starts with full anonymity, which are stored
 * as days (`recordedTime`), the first day that begins at that time or later in the workspace's zone.
 */
export function startBound(at: Date, timeZone: string): readonly string[] {
  const day = dayIn(timeZone, at);
  const hasBegun = startOfDay(timeZone, day) < at;
  const first = Temporal.PlainDate.from(day).add({ days: hasBegun ? 1 : 0 });
  // PostgreSQL does not read the longer years of ISO 8601.
  return [at.toISOString(), first.year > 9999 ? "infinity" : `${first.toString()}T00:00:00Z`];
}

/** The bounds of all starts. */
export const anyStart = { from: ["-infinity", "-infinity"], to: ["infinity", "infinity"] } as const;
