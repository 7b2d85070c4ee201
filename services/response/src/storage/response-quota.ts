import type { Sql } from "@canvass/postgres";
import type { SurveySettings } from "@canvass/questions";
import { notCollecting } from "../domain/collecting.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findSurveyResult } from "./results/results.ts";

/** How many respondents may still complete each survey that has a limit (`collection.responseLimit`). */
export interface ResponseQuota {
  /** Throws `survey_not_collecting` when the survey has all the completed responses it wants. */
  requireLeft(ref: SurveyRef): void;
  /** Takes one completion for the current batch. */
  reserve(ref: SurveyRef): void;
}

/**
 * Locks the quota of every limited survey among the given ones until the transaction ends: batches of the same limited
 * survey take turns, so the limit holds exactly. Surveys without a limit cost nothing.
 */
export async function lockResponseQuota(
  sql: Sql,
  submissions: readonly (SurveyRef & { collection: { settings: SurveySettings } })[],
): Promise<ResponseQuota> {
  const limits = new Map<string, { ref: SurveyRef; limit: number }>();
  for (const { workspaceId, surveyId, collection } of submissions) {
    const limit = collection.settings.collection.responseLimit;
    if (limit !== null) limits.set(`${workspaceId} ${surveyId}`, { ref: { workspaceId, surveyId }, limit });
  }
  const left = new Map<string, number>();
  // In name order, so that batches never deadlock.
  for (const [name, { ref, limit }] of [...limits].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) IS NULL AS locked", [`limit ${name}`]);
    left.set(name, limit - (await findSurveyResult(sql, ref.workspaceId, ref.surveyId)).completed);
  }
  const nameOf = ({ workspaceId, surveyId }: SurveyRef) => `${workspaceId} ${surveyId}`;
  return {
    requireLeft(ref) {
      if ((left.get(nameOf(ref)) ?? 1) <= 0) throw notCollecting("response_limit");
    },
    reserve(ref) {
      const quota = left.get(nameOf(ref));
      if (quota !== undefined) left.set(nameOf(ref), quota - 1);
    },
  };
}

/** For a respondent that would start; throws `survey_not_collecting` when the survey has all the responses it wants. */
export async function requireQuotaLeft(sql: Sql, ref: SurveyRef, settings: SurveySettings): Promise<void> {
  const { responseLimit } = settings.collection;
  if (responseLimit === null) return;
  const { completed } = await findSurveyResult(sql, ref.workspaceId, ref.surveyId);
  if (completed >= responseLimit) throw notCollecting("response_limit");
}
