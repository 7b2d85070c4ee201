import type { Sql } from "@canvass/postgres";
import type { CodeLists } from "../../domain/exports/code-lists.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";

export interface StoredCodes {
  questionId: string;
  type: number;
  lists: CodeLists;
}

/** Returns the codes of a survey's questions. Locks them against other exports until the transaction ends. */
export async function lockCodes(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<StoredCodes[]> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) IS NULL AS locked`, [
    `export codes ${workspaceId} ${surveyId}`,
  ]);
  return sql.query<StoredCodes>(
    `SELECT question_id AS "questionId", type, lists FROM export_codes WHERE workspace_id = $1 AND survey_id = $2`,
    [workspaceId, surveyId],
  );
}

export async function saveCodes(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  codes: readonly StoredCodes[],
): Promise<void> {
  if (codes.length === 0) return;
  await sql.query(
    `INSERT INTO export_codes (workspace_id, survey_id, question_id, type, lists)
     SELECT $1, $2, question_id, type, lists::jsonb FROM unnest($3::text[], $4::int[], $5::text[]) AS new (question_id, type, lists)
     ON CONFLICT (workspace_id, survey_id, question_id, type) DO UPDATE SET lists = EXCLUDED.lists`,
    [
      workspaceId,
      surveyId,
      codes.map(({ questionId }) => questionId),
      codes.map(({ type }) => type),
      codes.map(({ lists }) => JSON.stringify(lists)),
    ],
  );
}
