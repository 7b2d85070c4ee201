import type { Pool } from "pg";

/** Creates the tables of surveys, elements, respondents, answers and outbox rows that the bare program uses. */
export async function createBareTables(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE TABLE surveys (survey_id text PRIMARY KEY, name text NOT NULL, description text NOT NULL,
      language text NOT NULL, type smallint NOT NULL, active smallint NOT NULL, owner_account_id text NOT NULL,
      settings jsonb NOT NULL, published_version int, has_unpublished_changes boolean NOT NULL,
      question_count int NOT NULL, response_count bigint NOT NULL, created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL);
    CREATE TABLE elements (element_id text PRIMARY KEY, survey_id text NOT NULL, page_id text NOT NULL,
      type smallint NOT NULL, type_name text NOT NULL, question_id text NOT NULL, sort_order int NOT NULL,
      question_text text, help_text text, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL);
    CREATE INDEX elements_list ON elements (survey_id, page_id, sort_order);
    CREATE TABLE respondents (survey_id text, respondent_id text, page_id text NOT NULL DEFAULT '',
      last_seen_at timestamptz NOT NULL DEFAULT now(), completed_at timestamptz, PRIMARY KEY (survey_id, respondent_id));
    CREATE TABLE answers (survey_id text, respondent_id text, element_id text, answer_id text NOT NULL,
      value jsonb NOT NULL, submitted_at timestamptz NOT NULL, PRIMARY KEY (survey_id, respondent_id, element_id));
    CREATE INDEX answers_list ON answers (survey_id, submitted_at, answer_id);
    CREATE TABLE outbox (event_id text PRIMARY KEY, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
  `);
}

/** Copies surveys from API responses, so that both programs read the same data. */
export async function fillSurveys(pool: Pool, surveys: readonly object[]): Promise<void> {
  await pool.query(
    `INSERT INTO surveys SELECT s.* FROM jsonb_to_recordset($1::jsonb) AS s (id text, name text, description text,
       language text, type smallint, active smallint, "ownerAccountId" text, settings jsonb, "publishedVersion" int,
       "hasUnpublishedChanges" boolean, "questionCount" int, "responseCount" bigint, "createdAt" timestamptz,
       "updatedAt" timestamptz)`,
    [JSON.stringify(surveys)],
  );
}

/** Copies elements from API responses. */
export async function fillElements(pool: Pool, elements: readonly object[]): Promise<void> {
  await pool.query(
    `INSERT INTO elements SELECT e.* FROM jsonb_to_recordset($1::jsonb) AS e (id text, "surveyId" text, "pageId" text,
       type smallint, "typeName" text, "questionId" text, "sortOrder" int, "questionText" text, "helpText" text,
       "createdAt" timestamptz, "updatedAt" timestamptz)`,
    [JSON.stringify(elements)],
  );
}

/** Inserts `answers` answers. Each person answers every element; people are one millisecond apart. */
export async function fillAnswers(
  pool: Pool,
  { surveyId, elementIds, answers }: { surveyId: string; elementIds: string[]; answers: number },
): Promise<void> {
  await pool.query(
    `INSERT INTO answers SELECT $1, lpad(n::text, 16, '0'), element, lpad(n::text, 12, '0') || lpad(place::text, 4, '0'),
       to_jsonb(1 + (n + place) % 5), now() - interval '1 day' + interval '1 ms' * n
     FROM generate_series(1, $3::int) AS n, unnest($2::text[]) WITH ORDINALITY AS e (element, place)
     LIMIT $4`,
    [surveyId, elementIds, Math.ceil(answers / elementIds.length), answers],
  );
  await pool.query("VACUUM ANALYZE answers");
}

/** Inserts started respondents. */
export async function fillRespondents(pool: Pool, surveyId: string, respondentIds: readonly string[]): Promise<void> {
  await pool.query("INSERT INTO respondents (survey_id, respondent_id) SELECT $1, unnest($2::text[])", [
    surveyId,
    respondentIds,
  ]);
}
