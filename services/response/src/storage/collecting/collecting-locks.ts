import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import type { ContactRef } from "../respondents/contact-respondents.ts";

/** Advisory locks of two numbers, so that none is taken for a moment (horizon.ts). */
const lockClass = 1;

const lockEach = (lock: string) =>
  `SELECT count(${lock}(${lockClass}, hashtext(name))) AS locked FROM unnest($1::text[]) AS name`;
const HOLD = lockEach("pg_advisory_xact_lock_shared");
const LOCK = lockEach("pg_advisory_xact_lock");

/** Of a survey and its links. */
export const surveyLock = ({ workspaceId, surveyId }: SurveyRef) => `survey ${workspaceId} ${surveyId}`;
export const contactLock = ({ workspaceId, contactId }: ContactRef) => `contact ${workspaceId} ${contactId}`;

/** Of what depends on a survey and its links, and on a contact unless its id is empty. */
export function locksOf(ref: SurveyRef & ContactRef): string[] {
  return ref.contactId === "" ? [surveyLock(ref)] : [surveyLock(ref), contactLock(ref)];
}

/**
 * Keeps how the named collect as it is until the transaction ends: a change waits for this transaction, and later statements
 * of it see every change before. A statement's snapshot is older than the locks that it takes, so read in a later one. Shared
 * locks on rows would write to them with every page save.
 */
export async function holdCollecting(sql: Sql, names: Iterable<string>): Promise<void> {
  await take(sql, HOLD, names);
}

/**
 * For a change: waits for those who hold it, two seconds at most. Whoever comes meanwhile waits behind it, so a process that
 * hangs in its transaction must not keep the others waiting for long.
 */
export async function lockCollecting(sql: Sql, names: Iterable<string>): Promise<void> {
  await Promise.all([sql.query("SET LOCAL statement_timeout = 2000"), take(sql, LOCK, names)]);
}

/** In one order, so that nobody deadlocks. */
async function take(sql: Sql, text: string, names: Iterable<string>): Promise<void> {
  const distinct = [...new Set(names)].toSorted();
  if (distinct.length > 0) await sql.query(text, [distinct]);
}
