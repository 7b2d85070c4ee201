import type { Sql } from "@canvass/postgres";
import type { Question } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { digestsSql, keptQuestionSql } from "./kept-definitions.ts";

const FIND_DIGESTS = `SELECT digest FROM kept_questions
WHERE workspace_id = $1 AND survey_id = $2 AND published AND element_id = ANY($3::text[])
  AND (question ? 'choices' OR NOT $4::boolean)`;

const FIND_NEWEST = `SELECT ${keptQuestionSql("n", "n.digest")} AS question FROM (
  SELECT DISTINCT ON (h.element_id) h.* FROM (
    SELECT d.*, ${keptQuestionSql("d", "d.digest", "element_id")} AS element_id FROM (
      SELECT v.workspace_id, v.survey_id, v.version_number, ${digestsSql("v")} AS digest FROM versions v
      WHERE v.workspace_id = $1 AND v.survey_id = $2
    ) d WHERE d.digest = ANY($3::text[])
  ) h ORDER BY h.element_id, h.version_number DESC
) n`;

/**
 * Returns elements as the newest version with each has them; with `ofChoices`, the newest in which it has choices of its
 * own. Reads the versions only if any of them has one.
 */
export async function findFormerQuestions(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  elementIds: readonly string[],
  { ofChoices = false } = {},
): Promise<Question[]> {
  if (elementIds.length === 0) return [];
  const found = await sql.query<{ digest: string }>(FIND_DIGESTS, [workspaceId, surveyId, elementIds, ofChoices]);
  if (found.length === 0) return [];
  const digests = found.map(({ digest }) => digest);
  const rows = await sql.query<{ question: Question }>(FIND_NEWEST, [workspaceId, surveyId, digests]);
  return rows.map(({ question }) => question);
}
