import type { Sql } from "@canvass/postgres";

export interface AnswerCounts {
  questionId: string;
  responses: number;
  respondents: bigint;
  type: number;
  entries: [id: string, count: number][];
}

const TOTALS = `SELECT c.question_id AS "questionId", sum(c.responses)::int8 AS responses,
  sum(c.respondents)::int8 AS respondents,
  (SELECT (k.question ->> 'type')::int4 FROM known_questions k
   WHERE (k.workspace_id, k.survey_id, k.question_id) = (c.workspace_id, c.survey_id, c.question_id)) AS type
FROM question_counters c WHERE c.workspace_id = $1 AND c.survey_id = $2 AND c.question_id = ANY($3::text[])
GROUP BY c.workspace_id, c.survey_id, c.question_id HAVING sum(c.responses) > 0 ORDER BY c.question_id`;

/** A bucket contains entry ids between colons (packages/questions). A matrix is counted by rows and by columns. */
const ENTRIES = `SELECT c.question_id AS "questionId", part AS id, sum(c.count)::int8 AS count
FROM bucket_counters c, unnest(string_to_array(c.bucket, ':')) AS part
WHERE c.workspace_id = $1 AND c.survey_id = $2 AND c.question_id = ANY($3::text[]) AND length(part) = 16
GROUP BY c.question_id, part HAVING sum(c.count) > 0`;

export async function readAnswerCounts(
  sql: Sql,
  workspaceId: string,
  surveyId: string,
  questionIds: readonly string[],
): Promise<AnswerCounts[]> {
  const asked = [workspaceId, surveyId, questionIds];
  const [totals, entries] = await Promise.all([
    sql.query<{ questionId: string; responses: string; respondents: string; type: number }>(TOTALS, asked),
    sql.query<{ questionId: string; id: string; count: string }>(ENTRIES, asked),
  ]);
  const byQuestion = new Map(totals.map(({ questionId }) => [questionId, [] as AnswerCounts["entries"]]));
  for (const { questionId, id, count } of entries) byQuestion.get(questionId)?.push([id, Number(count)]);
  return totals.map(({ questionId, responses, respondents, type }) => ({
    questionId,
    responses: Number(responses),
    respondents: BigInt(respondents),
    type,
    entries: byQuestion.get(questionId)!,
  }));
}
