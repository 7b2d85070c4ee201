import { AppError } from "@canvass/errors";
import { newId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Call } from "@canvass/rpc";
import { hash } from "node:crypto";
import type { SurveyContext } from "../context.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findSurveyLock, releaseSurveyLock, takeSurveyLock } from "../storage/survey-locks.ts";

/** Longer than a publisher's deadline: one that holds it longer has died. */
const leaseMs = 15_000;

/** The lock of a survey while it is being published. Disposing gives it back. */
export interface SurveyLease extends AsyncDisposable {
  /** Gives it back in the transaction of what it was taken for, also what a repetition of the request took over. */
  release(sql: Sql): Promise<void>;
}

/** Takes the survey's lock for the caller; undefined when somebody else holds it. */
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
    request: nameOf(call),
    expiresAt,
  };
  if (!(await takeSurveyLock(prisma, ref, lock, at))) return undefined;
  return {
    release: (transaction) => releaseSurveyLock(transaction, ref, lock),
    async [Symbol.asyncDispose]() {
      // In vain after a commit. A database that is away leaves the lease to its end.
      await releaseSurveyLock(sql, ref, { leaseId, request: null }).catch(() => undefined);
    },
  };
}

/** The refusal for a survey that somebody else holds. */
export async function surveyLocked({ database: { prisma }, now }: SurveyContext, ref: SurveyRef): Promise<AppError> {
  const lock = await findSurveyLock(prisma, ref, now());
  if (!lock) return new AppError("survey_locked");
  const { reason, holder, expiresAt } = lock;
  return new AppError("survey_locked", { reason, holder, expiresAt: expiresAt.toISOString() });
}

function nameOf({ idempotency }: Call): string | null {
  return idempotency ? hash("sha256", JSON.stringify([idempotency.scope, idempotency.key])) : null;
}
