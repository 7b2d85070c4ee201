import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** Locks rows in key order, so that two batches with the same surveys cannot deadlock. */
const ADD = `WITH added AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::int8[]) AS added (workspace_id, survey_id, responses)
), locked AS (
  SELECT c.workspace_id, c.survey_id FROM response_counts c JOIN added USING (workspace_id, survey_id)
  ORDER BY c.workspace_id, c.survey_id FOR UPDATE OF c
)
UPDATE response_counts c SET response_count = c.response_count + added.responses
FROM locked JOIN added USING (workspace_id, survey_id)
WHERE (c.workspace_id, c.survey_id) = (locked.workspace_id, locked.survey_id)`;

export async function addResponses(sql: Sql, counted: readonly (SurveyRef & { responses: number })[]): Promise<void> {
  const groups = Map.groupBy(counted, ({ workspaceId, surveyId }) => `${workspaceId} ${surveyId}`);
  const counts = [...groups.values()].map((group) => ({
    ...group[0]!,
    responses: group.reduce((sum, { responses }) => sum + responses, 0),
  }));
  if (counts.length === 0) return;
  await sql.query(ADD, [
    counts.map(({ workspaceId }) => workspaceId),
    counts.map(({ surveyId }) => surveyId),
    counts.map(({ responses }) => responses),
  ]);
}
