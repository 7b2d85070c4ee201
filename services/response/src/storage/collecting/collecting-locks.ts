import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import type { ContactRef } from "../respondents/contact-respondents.ts";

/** Class of two-number advisory locks, so that they never collide with those of the horizon (horizon.ts). */
const lockClass = 1;

const lockEach = (lock: string) =>
  `SELECT count(${lock}(${lockClass}, hashtext(name))) AS locked FROM unnest($1::text[]) AS name`;
// Advisory locks: shared row locks would write to the rows with every page save.
const HOLD = lockEach("pg_advisory_xact_lock_shared");
const LOCK = lockEach("pg_advisory_xact_lock");

/** Covers a survey and its links. */
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
