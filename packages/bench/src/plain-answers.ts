import type { Pool } from "pg";

interface PlainAnswer {
  workspace_id: string;
  survey_id: string;
  respondent_id: string;
  element_id: string;
  value: unknown;
  submitted_at: Date;
}

/** Creates the plain tables to compare ours with: one row per answer, a primary key and one list index. */
export async function createPlainAnswers(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE TABLE plain_answers (workspace_id text, survey_id text, respondent_id text, element_id text,
      value jsonb NOT NULL, submitted_at timestamptz NOT NULL,
      PRIMARY KEY (workspace_id, survey_id, respondent_id, element_id));
    CREATE INDEX plain_answers_list ON plain_answers (workspace_id, survey_id, submitted_at, respondent_id, element_id);
    CREATE TABLE plain_respondents (workspace_id text, survey_id text, respondent_id text, version_number int NOT NULL,
      started_at timestamptz NOT NULL, completed_at timestamptz, PRIMARY KEY (workspace_id, survey_id, respondent_id))`);
}

/**
 * Copies a survey's answers and respondents from the response service's database, oldest first. Returns the number of
 * answers.
 */
export async function copyToPlain(response: Pool, bare: Pool, surveyId: string): Promise<number> {
  const { rows } = await response.query<PlainAnswer>(
    `SELECT workspace_id, survey_id, respondent_id, key AS element_id, value, submitted_at
     FROM answer_sets CROSS JOIN jsonb_each(answers) WHERE survey_id = $1 ORDER BY submitted_at, respondent_id`,
    [surveyId],
  );
  for (let from = 0; from < rows.length; from += 1000) {
    await bare.query(
      `INSERT INTO plain_answers SELECT * FROM json_to_recordset($1::json) AS a (workspace_id text, survey_id text,
         respondent_id text, element_id text, value jsonb, submitted_at timestamptz)`,
      [JSON.stringify(rows.slice(from, from + 1000))],
    );
  }
  const { rows: respondents } = await response.query(
    `SELECT workspace_id, survey_id, respondent_id, version_number, started_at, completed_at FROM respondents
     WHERE survey_id = $1 ORDER BY started_at`,
    [surveyId],
  );
  await bare.query(
    `INSERT INTO plain_respondents SELECT * FROM json_to_recordset($1::json) AS r (workspace_id text, survey_id text,
       respondent_id text, version_number int, started_at timestamptz, completed_at timestamptz)`,
    [JSON.stringify(respondents)],
  );
  return rows.length;
}
