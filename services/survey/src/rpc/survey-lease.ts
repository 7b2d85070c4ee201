import { AppError } from "@canvass/errors";
import { newId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Call } from "@canvass/rpc";
import { hash } from "node:crypto";
import type { SurveyContext } from "../context.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findSurveyLock, releaseSurveyLock, shortenSurveyLocks, takeSurveyLock } from "../storage/survey-locks.ts";

/** Longer than the deadline of a publishing request: an older lease belongs to a request that has died. */
const leaseMs = 15_000;

export interface SurveyLease extends AsyncDisposable {
  /** Releases the lock within a transaction, also if a retry of the request has taken it over. */
  release(sql: Sql): Promise<void>;
}

/** Returns undefined if another request holds the lease. */
export async function leaseSurvey(
  { database: { prisma, sql }, now }: SurveyContext,
  { workspaceId, surveyId }: SurveyRef,
  call: Call,
): Promise<SurveyLease | undefined> {
  const at = now();
  const ref = { workspaceId, surveyId };
  const leaseId = newId(at);
  const expiresAt = new Date(at.getTime() + leaseMs);
  const lock = {
    leaseId,
    holder: call.caller.personId,
    reason: "publishing",
    request: requestHash(call),
    expiresAt,
  };
  if (!(await takeSurveyLock(prisma, ref, lock, at))) return undefined;
  return {
    release: (transaction) => releaseSurveyLock(transaction, ref, lock),
    async [Symbol.asyncDispose]() {
      // Releases nothing if `release` has been committed. If the database is unreachable, the lease expires.
      await releaseSurveyLock(sql, ref, { leaseId, request: null }).catch(() => undefined);
    },
  };
}

/** After the clock was set back, no lease lasts longer than one that is taken now. */
export async function repairLeases(sql: Sql, now: Date): Promise<void> {
  await shortenSurveyLocks(sql, new Date(now.getTime() + leaseMs));
}

export async function surveyLockedError(
  { database: { prisma }, now }: SurveyContext,
  ref: SurveyRef,
): Promise<AppError> {
  const lock = await findSurveyLock(prisma, ref, now());
  if (!lock) return new AppError("survey_locked");
  const { reason, holder, expiresAt } = lock;
  return new AppError("survey_locked", { reason, holder, expiresAt: expiresAt.toISOString() });
}

/** Identifies a request with an idempotency key, so that its retry can take over the lock. */
function requestHash({ idempotency }: Call): string | null {
  return idempotency ? hash("sha256", JSON.stringify([idempotency.scope, idempotency.key])) : null;
}
