import type { Sql } from "@canvass/postgres";
import type { SurveyRecord } from "../domain/survey-record.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { SURVEY_COLUMNS, toSurveyRecord, type SurveyRow } from "./survey-columns.ts";

/** Every write of either row changes this token. */
const STATE = `concat_ws('.', s.revision, s.xmin, c.xmin, c.response_count) AS state`;

const WANTED = `FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, survey_id)
JOIN surveys s USING (workspace_id, survey_id)
JOIN response_counts c USING (workspace_id, survey_id)`;

const FIND = `SELECT ${SURVEY_COLUMNS}, ${STATE} ${WANTED}`;

const SELECT_STATES = `SELECT s.workspace_id AS "workspaceId", s.survey_id AS "surveyId", ${STATE}`;

const FIND_STATES = `${SELECT_STATES} ${WANTED}`;

/** For one survey: starting the statement for many takes as long as finding one. */
const FIND_STATE = `${SELECT_STATES} FROM surveys s JOIN response_counts c USING (workspace_id, survey_id)
WHERE s.workspace_id = $1 AND s.survey_id = $2`;

const LOCK = `SELECT ${SURVEY_COLUMNS}
FROM surveys s JOIN response_counts c USING (workspace_id, survey_id)
WHERE s.workspace_id = $1 AND s.survey_id = $2
FOR UPDATE OF s`;

export interface FoundSurvey extends SurveyRecord {
  state: string;
}

/** Reads surveys with one statement, in any order; omits unknown ones. `refs` must be unique. */
export async function findSurveys(sql: Sql, refs: readonly SurveyRef[]): Promise<FoundSurvey[]> {
  if (refs.length === 0) return [];
  const rows = await sql.query<SurveyRow & { state: string }>(FIND, keysOf(refs));
  return rows.map(toSurveyRecord);
}

/** Reads only states: for a single survey, reading its columns costs more than finding it. */
export async function findStates(sql: Sql, refs: readonly SurveyRef[]): Promise<(SurveyRef & { state: string })[]> {
  const [first] = refs;
  if (!first) return [];
  return refs.length === 1
    ? sql.query<SurveyRef & { state: string }>(FIND_STATE, [first.workspaceId, first.surveyId])
    : sql.query<SurveyRef & { state: string }>(FIND_STATES, keysOf(refs));
}

const keysOf = (refs: readonly SurveyRef[]) => [
  refs.map(({ workspaceId }) => workspaceId),
  refs.map(({ surveyId }) => surveyId),
];

/** Locks a survey until the transaction ends, which serializes all writers of the survey and its draft. */
export async function lockSurvey(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<SurveyRecord | undefined> {
  const [row] = await sql.query<SurveyRow>(LOCK, [workspaceId, surveyId]);
  return row && toSurveyRecord(row);
}
