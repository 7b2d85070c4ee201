import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** Who holds a survey, why, and until when. */
export interface SurveyLockRecord {
  leaseId: string;
  /** The person. */
  holder: string;
  reason: "publishing";
  /** Names the request by its idempotency key; null without one. */
  request: string | null;
  expiresAt: Date;
}

/** A lock that has run out is free, and a repeated request goes on with its own: the first may have died. */
const TAKE = `INSERT INTO survey_locks AS l (workspace_id, survey_id, lease_id, holder, reason, request, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (workspace_id, survey_id) DO UPDATE SET lease_id = excluded.lease_id, holder = excluded.holder,
  reason = excluded.reason, request = excluded.request, expires_at = excluded.expires_at
WHERE l.expires_at <= $8::timestamptz OR l.request = excluded.request
RETURNING lease_id`;

/** Takes the lock of a survey that exists; false when somebody else has it. */
export async function takeSurveyLock(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  { leaseId, holder, reason, request, expiresAt }: SurveyLockRecord,
  now: Date,
): Promise<boolean> {
  const rows = await sql.query(TAKE, [workspaceId, surveyId, leaseId, holder, reason, request, expiresAt, now]);
  return rows.length > 0;
}

const RELEASE = `DELETE FROM survey_locks
WHERE workspace_id = $1 AND survey_id = $2 AND (lease_id = $3 OR request = $4::text)`;

/** Gives the lock back. With its name a request also releases what its repetition took over. */
export async function releaseSurveyLock(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  { leaseId, request }: Pick<SurveyLockRecord, "leaseId" | "request">,
): Promise<void> {
  await sql.query(RELEASE, [workspaceId, surveyId, leaseId, request]);
}

const FIND = `SELECT lease_id AS "leaseId", holder, reason, request, expires_at AS "expiresAt" FROM survey_locks
WHERE workspace_id = $1 AND survey_id = $2 AND expires_at > $3::timestamptz`;

export async function findSurveyLock(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  now: Date,
): Promise<SurveyLockRecord | undefined> {
  return (await sql.query<SurveyLockRecord>(FIND, [workspaceId, surveyId, now]))[0];
}
