import type { Sql } from "@canvass/postgres";
import { quotaKey } from "../../domain/results/counters.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";

export interface QuotaCount extends SurveyRef {
  quotaId: string;
  completed: number;
}

const COUNTS = `SELECT workspace_id AS "workspaceId", survey_id AS "surveyId", quota_id AS "quotaId",
    sum(c.completed)::int8 AS completed
  FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, survey_id)
    JOIN quota_counters c USING (workspace_id, survey_id)
  GROUP BY workspace_id, survey_id, quota_id`;

/** Returns the counts of the surveys' quotas, in any order. A quota that is left out has none. Pass each ref once. */
export async function findQuotaCounts(sql: Sql, surveys: readonly SurveyRef[]): Promise<QuotaCount[]> {
  const workspaceIds = surveys.map(({ workspaceId }) => workspaceId);
  const rows = await sql.query<Omit<QuotaCount, "completed"> & { completed: string }>(COUNTS, [
    workspaceIds,
    surveys.map(({ surveyId }) => surveyId),
  ]);
  return rows.map((row) => ({ ...row, completed: Number(row.completed) }));
}

/**
 * Locks all quotas of surveys until the transaction ends. Read the counts in a later statement: a statement sees only
 * what was committed before it began.
 */
export async function lockQuotas(sql: Sql, surveys: readonly SurveyRef[]): Promise<void> {
  // In name order, to avoid deadlocks.
  for (const name of surveys.map((survey) => quotaKey(survey, "")).toSorted()) {
    await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) IS NULL AS locked", [`quotas ${name}`]);
  }
}
