import type { Sql } from "@canvass/postgres";
import type { PrismaClient } from "../../gen/prisma/client.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";

export interface SurveyLockRecord {
  leaseId: string;
  /** The person's id. */
  holder: string;
  reason: string;
  /** Hash of the request's idempotency key; null without one. */
  request: string | null;
  expiresAt: Date;
}

/** Returns false if the lock is held. Takes over an expired lock, and one of an earlier attempt of the request. */
export async function takeSurveyLock(
  { surveyLock }: Pick<PrismaClient, "surveyLock">,
  { workspaceId, surveyId }: SurveyRef,
  lock: SurveyLockRecord,
  now: Date,
): Promise<boolean> {
  const key = { workspaceId, surveyId };
  // Each step is one statement, so only one of concurrent callers succeeds.
  const inserted = await surveyLock.createMany({ data: { ...key, ...lock }, skipDuplicates: true });
  if (inserted.count === 1) return true;
  const free = [{ expiresAt: { lte: now } }, ...(lock.request === null ? [] : [{ request: lock.request }])];
  const replaced = await surveyLock.updateMany({ where: { ...key, OR: free }, data: lock });
  return replaced.count === 1;
}

const RELEASE = `DELETE FROM survey_locks
WHERE workspace_id = $1 AND survey_id = $2 AND (lease_id = $3 OR request = $4::text)`;

export async function releaseSurveyLock(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  { leaseId, request }: Pick<SurveyLockRecord, "leaseId" | "request">,
): Promise<void> {
  await sql.query(RELEASE, [workspaceId, surveyId, leaseId, request]);
}

/** Ends locks at `latest` that would last longer: they were taken before the clock was set back. */
export async function shortenSurveyLocks(sql: Sql, latest: Date): Promise<void> {
  await sql.query("UPDATE survey_locks SET expires_at = $1 WHERE expires_at > $1", [latest]);
}

export async function findSurveyLock(
  { surveyLock }: Pick<PrismaClient, "surveyLock">,
  { workspaceId, surveyId }: SurveyRef,
  now: Date,
): Promise<SurveyLockRecord | null> {
  return surveyLock.findFirst({ where: { workspaceId, surveyId, expiresAt: { gt: now } } });
}
