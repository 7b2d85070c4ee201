import type { ApiClient, Json } from "@canvass/e2e";
import type { Pool } from "pg";

/** Answers of each respondent of such a survey. */
export const answersEach = 25;

export interface AnsweredSurvey {
  surveyId: string;
  elementIds: string[];
}

/** The moment in which the first answers of such a survey came. */
export const firstAnswersAt = "2026-01-01T00:00:00Z";

/**
 * Publishes a survey and lets the database make its answers, and the counters as if each batch had chosen its shard.
 */
export async function makeAnsweredSurvey(api: ApiClient, response: Pool, people: number): Promise<AnsweredSurvey> {
  const questions = Array.from({ length: answersEach }, (_, index) => ({ type: "rating", text: `Question ${index}` }));
  const { id: surveyId } = (await api.post("/surveys", { name: `Of ${people} people`, questions })).data;
  await api.post(`/surveys/${surveyId}/publish`, undefined, { "if-match": "*" });
  const { respondentId } = (await api.post(`/response/surveys/${surveyId}/respondents`, {})).data;
  const elements: Json[] = (await api.get(`/surveys/${surveyId}/elements`)).data;
  const elementIds = elements.map(({ id }) => id as string);
  await response.query(
    `INSERT INTO respondents (workspace_id, survey_id, respondent_id, version_id, version_number, is_test, is_anonymous,
       started_at, last_seen_at, completed_at)
     SELECT workspace_id, survey_id, right(survey_id, 8) || lpad(n::text, 8, '0'), version_id, version_number,
       false, false, $3, $3, $3
     FROM respondents, generate_series(1, $2::int) AS n WHERE survey_id = $1`,
    [surveyId, people, firstAnswersAt],
  );
  await response.query(
    `INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers)
     SELECT workspace_id, survey_id, respondent_id, 0, started_at + interval '1 ms' * right(respondent_id, 8)::int,
       (SELECT jsonb_object_agg(element, 1 + (right(respondent_id, 8)::int + place) % 5)
        FROM unnest($3::text[]) WITH ORDINALITY AS e (element, place))
     FROM respondents WHERE survey_id = $1 AND respondent_id <> $2`,
    [surveyId, respondentId, elementIds],
  );
  const questionOf = Object.fromEntries(elements.map(({ id, questionId }) => [id, questionId]));
  for (const fill of fillCounters) await response.query(fill, [surveyId, questionOf]);
  for (const table of ["respondents", "answer_sets", "question_counters", "bucket_counters", "number_counters"]) {
    await response.query(`VACUUM ANALYZE ${table}`);
  }
  return { surveyId, elementIds };
}

const given = `SELECT workspace_id, survey_id, $2::jsonb ->> key AS question_id, value, right(respondent_id, 8)::int % 16 AS shard
  FROM answer_sets CROSS JOIN jsonb_each(answers) WHERE survey_id = $1`;

const fillCounters = [
  `INSERT INTO question_counters (workspace_id, survey_id, question_id, shard, responses, respondents, sum)
   SELECT workspace_id, survey_id, question_id, shard, count(*), count(*), sum(value::int) * 1000000000
   FROM (${given}) AS given GROUP BY 1, 2, 3, 4`,
  `INSERT INTO bucket_counters (workspace_id, survey_id, question_id, bucket, shard, count)
   SELECT workspace_id, survey_id, question_id, value::text, shard, count(*) FROM (${given}) AS given GROUP BY 1, 2, 3, 4, 5`,
  `INSERT INTO number_counters (workspace_id, survey_id, question_id, number, shard, count)
   SELECT workspace_id, survey_id, question_id, value::float8, shard, count(*) FROM (${given}) AS given GROUP BY 1, 2, 3, 4, 5`,
];
