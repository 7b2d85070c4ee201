import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** Replaces the database's clock, for tests. */
export type GivenClock = (() => Date) | undefined;

// The key of an advisory lock: 22 bits of the survey's hash, 42 of milliseconds. Surveys with equal bits share a horizon.
const timeBits = 42;
const surveyBits = (name: string) => `hashtextextended(${name}, 0) << ${timeBits}`;
const milliseconds = (time: string) => `floor(extract(epoch FROM ${time}) * 1000)::int8`;

const BEGIN = `SELECT ${milliseconds("clock_timestamp()")} AS at, count(pg_advisory_xact_lock_shared(
    (${surveyBits("survey")}) | coalesce($2::int8, ${milliseconds("clock_timestamp()")}))) AS held
  FROM unnest($1::text[]) AS survey`;

/** Returns the time for rows that lists sort by time. Until the transaction ends, `findHorizon` returns no later one. */
export async function beginWrite(sql: Sql, surveys: Iterable<SurveyRef>, clock: GivenClock): Promise<Date> {
  const names = [...new Set(Array.from(surveys, nameOf))];
  const [row] = await sql.query<{ at: string }>(BEGIN, [names, clock?.().getTime() ?? null]);
  // Read again: rows must not be earlier than the time in the locks.
  return clock?.() ?? new Date(Number(row!.at));
}

const key = "(classid::int8 << 32) | objid::int8";
const HORIZON = `SELECT least(coalesce($2::int8, ${milliseconds("statement_timestamp()")}),
    (SELECT min((${key}) & ((1::int8 << ${timeBits}) - 1)) FROM pg_locks
     WHERE locktype = 'advisory' AND objsubid = 1 AND mode = 'ShareLock' AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (${key}) >> ${timeBits} = (${surveyBits("$1")}) >> ${timeBits})) AS horizon`;

/**
 * Returns a time before which no open or future transaction adds rows, unless the clock goes back. Read the rows in a
 * later statement.
 */
export async function findHorizon(sql: Sql, survey: SurveyRef, clock: GivenClock): Promise<Date> {
  const [row] = await sql.query<{ horizon: string }>(HORIZON, [nameOf(survey), clock?.().getTime() ?? null]);
  return new Date(Number(row!.horizon));
}

function nameOf({ workspaceId, surveyId }: SurveyRef): string {
  return `${workspaceId} ${surveyId}`;
}
