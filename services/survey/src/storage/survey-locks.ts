import type { Sql } from "@canvass/postgres";
import type { PrismaClient } from "../../gen/prisma/client.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** Who holds a survey, why, and until when. */
export interface SurveyLockRecord {
  leaseId: string;
  /** The person. */
  holder: string;
  reason: string;
  /** Names the request by its idempotency key; null without one. */
  request: string | null;
  expiresAt: Date;
}

/**
 * Takes the lock of a survey that exists; false when somebody else has it. A lock that has run out is free, and a
 * repeated request goes on with its own: the first may have died.
 */
export async function takeSurveyLock(
  { surveyLock }: Pick<PrismaClient, "surveyLock">,
  { workspaceId, surveyId }: SurveyRef,
  lock: SurveyLockRecord,
  now: Date,
): Promise<boolean> {
  const key = { workspaceId, surveyId };
  // Each is one statement, so of any number of takers one wins.
  const inserted = await surveyLock.createMany({ data: { ...key, ...lock }, skipDuplicates: true });
  if (inserted.count === 1) return true;
  const free = [{ expiresAt: { lte: now } }, ...(lock.request === null ? [] : [{ request: lock.request }])];
  const replaced = await surveyLock.updateMany({ where: { ...key, OR: free }, data: lock });
  return replaced.count === 1;
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

export async function findSurveyLock(
  { surveyLock }: Pick<PrismaClient, "surveyLock">,
  { workspaceId, surveyId }: SurveyRef,
  now: Date,
): Promise<SurveyLockRecord | null> {
  return surveyLock.findFirst({ where: { workspaceId, surveyId, expiresAt: { gt: now } } });
}
