import type { Sql } from "@canvass/postgres";
import { edgeNumbers, mostNumbers, type Question } from "@canvass/questions";
import type { QuestionResult } from "../../domain/results/question-stats.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { shardLimit } from "./counters.ts";

export interface SurveyResult {
  started: number;
  completed: number;
  /** Completed respondents whose duration is known, and the sum of these. */
  timed: number;
  completionMilliseconds: number;
}

export async function findSurveyResult(sql: Sql, workspaceId: string, surveyId: string): Promise<SurveyResult> {
  const [row] = await sql.query<{ started: string; completed: string; milliseconds: string }>(
    `SELECT coalesce(sum(started), 0)::int8 AS started, coalesce(sum(completed), 0)::int8 AS completed,
       coalesce(sum(completion_milliseconds), 0)::int8 AS milliseconds
     FROM survey_counters WHERE workspace_id = $1 AND survey_id = $2`,
    [workspaceId, surveyId],
  );
  return {
    started: Number(row!.started),
    completed: Number(row!.completed),
    timed: Number(row!.completed),
    completionMilliseconds: Number(row!.milliseconds),
  };
}

/** Counts all current answers, with those of tests and those off the path. */
export async function countAnswers(sql: Sql, workspaceId: string, surveyId: string): Promise<number> {
  const [row] = await sql.query<{ count: string }>(
    `SELECT ((SELECT coalesce(sum(responses), 0) FROM question_counters WHERE workspace_id = $1 AND survey_id = $2)
       + (SELECT coalesce(sum(test_answers), 0) FROM survey_counters WHERE workspace_id = $1 AND survey_id = $2))::int8
       AS count`,
    [workspaceId, surveyId],
  );
  return Number(row!.count);
}

export interface WantedResults {
  questionIds: readonly string[];
  /** Questions whose distinct numbers are wanted, if they are few. */
  withNumbers: readonly string[];
  includeOffPath: boolean;
}

type Counters = readonly [workspaceId: string, surveyId: string, shardLimit: number];

export async function findQuestionResults(
  sql: Sql,
  workspaceId: string,
  surveyId: string,
  { questionIds, withNumbers, includeOffPath }: WantedResults,
): Promise<Map<string, QuestionResult>> {
  const counters: Counters = [workspaceId, surveyId, shardLimit(includeOffPath)];
  const asked = [...counters, questionIds];
  const [totals, buckets] = await Promise.all([
    sql.query<{ question_id: string; responses: string; respondents: string; sum: string }>(
      `SELECT question_id, sum(responses)::int8 AS responses, sum(respondents)::int8 AS respondents, sum(sum)::text AS sum
       FROM question_counters WHERE workspace_id = $1 AND survey_id = $2 AND shard < $3 AND question_id = ANY($4::text[])
       GROUP BY question_id`,
      asked,
    ),
    sql.query<{ question_id: string; bucket: string; count: string }>(
      `SELECT question_id, bucket, sum(count)::int8 AS count FROM bucket_counters
       WHERE workspace_id = $1 AND survey_id = $2 AND shard < $3 AND question_id = ANY($4::text[])
       GROUP BY question_id, bucket HAVING sum(count) <> 0`,
      asked,
    ),
  ]);
  const results = new Map<string, QuestionResult & { buckets: Map<string, number> }>();
  for (const { question_id, responses, respondents, sum } of totals) {
    results.set(question_id, {
      responses: Number(responses),
      respondents: Number(respondents),
      sum: BigInt(sum),
      buckets: new Map(),
      min: null,
      max: null,
    });
  }
  for (const { question_id, bucket, count } of buckets) results.get(question_id)?.buckets.set(bucket, Number(count));
  await addExtremes(sql, counters, results);
  await addNumbers(sql, counters, results, withNumbers);
  return results;
}

type NumberRow = { question_id: string; number: number; count: string };

/** Adds how often each number was answered: all numbers if they are few, else those at the edges of buckets. */
async function addNumbers(
  sql: Sql,
  counters: Counters,
  results: Map<string, QuestionResult>,
  withNumbers: readonly string[],
): Promise<void> {
  const ids = withNumbers.filter((id) => results.has(id));
  if (ids.length === 0) return;
  const rows = await sql.query<NumberRow>(`SELECT q.question_id, n.number, n.count ${FEW_NUMBERS}`, [
    ...counters,
    ids,
    mostNumbers + 1,
  ]);
  const found = Map.groupBy(rows, ({ question_id }) => question_id);
  const many = ids.filter((id) => (found.get(id)?.length ?? 0) > mostNumbers);
  for (const id of many) found.delete(id);
  const edges = many.flatMap((id) => edgeNumbers(results.get(id)!.buckets.keys()).map((number) => ({ id, number })));
  if (edges.length > 0) {
    const atEdges = await sql.query<NumberRow>(AT_EDGES, [
      ...counters,
      edges.map(({ id }) => id),
      edges.map(({ number }) => number),
    ]);
    for (const [id, of] of Map.groupBy(atEdges, ({ question_id }) => question_id)) found.set(id, of);
  }
  for (const [id, of] of found) {
    const numbers = new Map(of.map(({ number, count }) => [number, Number(count)]));
    results.set(id, { ...results.get(id)!, numbers });
  }
}

const FEW_NUMBERS = `FROM unnest($4::text[]) AS q (question_id) CROSS JOIN LATERAL (
    SELECT n.number, sum(n.count)::int8 AS count FROM number_counters n
    WHERE n.workspace_id = $1 AND n.survey_id = $2 AND n.shard < $3 AND n.question_id = q.question_id
    GROUP BY n.number HAVING sum(n.count) > 0 ORDER BY n.number LIMIT $5::int) AS n`;

const AT_EDGES = `SELECT n.question_id, n.number, sum(n.count)::int8 AS count FROM number_counters n
  JOIN unnest($4::text[], $5::float8[]) AS e (question_id, number) USING (question_id, number)
  WHERE n.workspace_id = $1 AND n.survey_id = $2 AND n.shard < $3 GROUP BY n.question_id, n.number`;

async function addExtremes(sql: Sql, counters: Counters, results: Map<string, QuestionResult>): Promise<void> {
  const numbers = `SELECT n.number FROM number_counters n WHERE n.workspace_id = $1 AND n.survey_id = $2
    AND n.shard < $3 AND n.question_id = q.question_id GROUP BY n.number HAVING sum(n.count) > 0 ORDER BY n.number`;
  const rows = await sql.query<{ question_id: string; min: number | null; max: number | null }>(
    `SELECT q.question_id, (${numbers} LIMIT 1) AS min, (${numbers} DESC LIMIT 1) AS max
     FROM unnest($4::text[]) AS q (question_id)`,
    [...counters, [...results.keys()]],
  );
  for (const { question_id, min, max } of rows) Object.assign(results.get(question_id)!, { min, max });
}

/** Returns completions per day. `dayStarts` is sorted; the last day has no upper bound. */
export async function findCompletionDays(
  sql: Sql,
  workspaceId: string,
  surveyId: string,
  dayStarts: readonly Date[],
): Promise<number[]> {
  const starts = dayStarts.map((at) => at.toISOString());
  const rows = await sql.query<{ day: number; completions: string }>(
    `SELECT width_bucket(starts_at, $4::timestamptz[]) AS day, sum(completions)::int8 AS completions
     FROM completion_slots WHERE workspace_id = $1 AND survey_id = $2 AND starts_at >= $3::timestamptz GROUP BY day`,
    [workspaceId, surveyId, starts[0], starts],
  );
  const counts = dayStarts.map(() => 0);
  for (const { day, completions } of rows) counts[day - 1] = Number(completions);
  return counts;
}

/** Reports whether a survey has answers, without those of tests. */
export async function hasAnswers(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<boolean> {
  const answered = await sql.query(
    `SELECT question_id FROM question_counters WHERE workspace_id = $1 AND survey_id = $2
     GROUP BY question_id HAVING sum(responses) > 0 LIMIT 1`,
    [workspaceId, surveyId],
  );
  return answered.length > 0;
}

/** Returns the questions that were answered and are not among the current ones. */
export async function findFormerQuestions(
  sql: Sql,
  workspaceId: string,
  surveyId: string,
  currentIds: readonly string[],
): Promise<Question[]> {
  const rows = await sql.query<{ question: Question }>(
    `SELECT k.question FROM known_questions k
     WHERE k.workspace_id = $1 AND k.survey_id = $2 AND k.question_id <> ALL($3::text[])
       AND EXISTS (SELECT FROM question_counters c
         WHERE (c.workspace_id, c.survey_id, c.question_id) = (k.workspace_id, k.survey_id, k.question_id))
     ORDER BY k.question_id`,
    [workspaceId, surveyId, currentIds],
  );
  return rows.map(({ question }) => question);
}

/** Questions per statement. Serializing them takes a millisecond. */
const questionsAtOnce = 50;

/** Saves the questions of a version, unless a newer form is stored. */
export async function saveQuestions(
  sql: Sql,
  workspaceId: string,
  surveyId: string,
  versionNumber: number,
  questions: readonly Question[],
): Promise<void> {
  // Sorted, so that two versions of one survey never deadlock.
  const ordered = questions.toSorted((a, b) => (a.questionId < b.questionId ? -1 : 1));
  for (let from = 0; from < ordered.length; from += questionsAtOnce) {
    const some = JSON.stringify(ordered.slice(from, from + questionsAtOnce));
    await sql.query(REMEMBER, [workspaceId, surveyId, versionNumber, some]);
  }
}

const REMEMBER = `INSERT INTO known_questions AS k (workspace_id, survey_id, question_id, version_number, question)
  SELECT $1, $2, q.value ->> 'questionId', $3, q.value FROM jsonb_array_elements($4::jsonb) AS q
  ORDER BY q.value ->> 'questionId'
  ON CONFLICT (workspace_id, survey_id, question_id) DO UPDATE
    SET version_number = excluded.version_number, question = excluded.question
    WHERE k.version_number < excluded.version_number`;
