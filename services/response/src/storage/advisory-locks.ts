import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../domain/survey-ref.ts";
import type { ContactRef } from "./respondents/contact-respondents.ts";

/** Class of the locks of surveys and contacts. Two-part keys like theirs never collide with locks of the horizon. */
const lockClass = 1;

const lockEach = (lock: string) =>
  `SELECT count(${lock}(${lockClass}, hashtext(name))) AS locked FROM unnest($1::text[]) AS name`;
// Advisory locks: shared row locks would write to the rows with every page save.
const HOLD = lockEach("pg_advisory_xact_lock_shared");
const LOCK = lockEach("pg_advisory_xact_lock");

/** The name of the lock of a survey and its links. */
export const surveyLock = ({ workspaceId, surveyId }: SurveyRef) => `survey ${workspaceId} ${surveyId}`;
export const contactLock = ({ workspaceId, contactId }: ContactRef) => `contact ${workspaceId} ${contactId}`;

export function locksOf(ref: SurveyRef & ContactRef): string[] {
  return ref.contactId === "" ? [surveyLock(ref)] : [surveyLock(ref), contactLock(ref)];
}

/** Keeps the states unchanged until the transaction ends. Read them in a later statement, whose snapshot is newer. */
export async function holdCollecting(sql: Sql, names: Iterable<string>): Promise<void> {
  await take(sql, HOLD, names);
}

/** Locks for a change. New readers queue behind it, so it waits two seconds at most, even if a holder hangs. */
export async function lockCollecting(sql: Sql, names: Iterable<string>): Promise<void> {
  await Promise.all([sql.query("SET LOCAL statement_timeout = 2000"), take(sql, LOCK, names)]);
}

/** Sorted, to avoid deadlocks. */
async function take(sql: Sql, text: string, names: Iterable<string>): Promise<void> {
  const distinct = [...new Set(names)].toSorted();
  if (distinct.length > 0) await sql.query(text, [distinct]);
}

/** Replaces the database's clock, for tests. */
export type GivenClock = (() => Date) | undefined;

// The key of a lock of the horizon: 22 bits of the survey's hash, 42 of milliseconds. Surveys with equal bits share a
// horizon.
const timeBits = 42;
const surveyBits = (name: string) => `hashtextextended(${name}, 0) << ${timeBits}`;
const milliseconds = (time: string) => `floor(extract(epoch FROM ${time}) * 1000)::int8`;

const BEGIN = `SELECT ${milliseconds("clock_timestamp()")} AS at, count(pg_advisory_xact_lock_shared(
    (${surveyBits("survey")}) | coalesce($2::int8, ${milliseconds("clock_timestamp()")}))) AS held
  FROM unnest($1::text[]) AS survey`;

/** Returns the time for new rows of the surveys. Until the transaction ends, `findHorizon` returns no later one. */
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
