import type { Sql, Statement } from "@canvass/postgres";
import type { SurveyRef } from "../../domain/survey-ref.ts";

export interface CollectingSurvey extends SurveyRef {
  revision: string;
  active: boolean;
  versionId: string;
  versionNumber: number;
  /** With defaults filled in. */
  settingsJson: string;
  hasPassword: boolean;
  /** Takes no answers for the moment. */
  isHeld: boolean;
}

const columns = `s.workspace_id AS "workspaceId", s.survey_id AS "surveyId", s.revision, s.active, s.version_id AS "versionId",
  s.version_number AS "versionNumber", s.settings::text AS "settingsJson", s.has_password AS "hasPassword",
  s.held_until IS NOT NULL AS "isHeld"`;

/** SQL: the revision of the survey `s`; null from a hold until a newer state is stored or its owner was asked. */
export const REVISION_FOR_ANSWERS = "CASE WHEN s.held_until IS NULL THEN s.revision END";

const FIND = `SELECT ${columns} FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, survey_id)
  JOIN collecting_surveys s USING (workspace_id, survey_id) WHERE coalesce(s.held_until > clock_timestamp(), true)`;

/**
 * Returns those that are known, in any order. When a hold has ended, its owner may have changed the survey: what is
 * stored is unknown until the owner is asked. Pass each ref once.
 */
export async function findCollectingSurveys(sql: Sql, refs: readonly SurveyRef[]): Promise<CollectingSurvey[]> {
  if (refs.length === 0) return [];
  return sql.query<CollectingSurvey>(FIND, keysOf(refs));
}

const FIND_REVISIONS = `SELECT s.workspace_id AS "workspaceId", s.survey_id AS "surveyId", s.revision
  FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, survey_id)
  JOIN collecting_surveys s USING (workspace_id, survey_id) WHERE s.held_until IS NULL`;

/** Leaves out surveys that are held or unknown. */
export async function findSurveyRevisions(
  sql: Sql,
  refs: readonly SurveyRef[],
): Promise<(SurveyRef & { revision: string })[]> {
  if (refs.length === 0) return [];
  return sql.query<SurveyRef & { revision: string }>(FIND_REVISIONS, keysOf(refs));
}

function keysOf(refs: readonly SurveyRef[]): [string[], string[]] {
  return [refs.map(({ workspaceId }) => workspaceId), refs.map(({ surveyId }) => surveyId)];
}

const PUT = `INSERT INTO collecting_surveys AS known (workspace_id, survey_id, revision, active, version_id, version_number, settings,
    has_password)
  VALUES ($1, $2, $3::int8, $4, $5, $6, $7::jsonb, $8)
  ON CONFLICT (workspace_id, survey_id) DO UPDATE SET revision = excluded.revision, active = excluded.active,
    version_id = excluded.version_id, version_number = excluded.version_number, settings = excluded.settings,
    has_password = excluded.has_password, held_until = NULL
  WHERE known.revision < excluded.revision`;

/** Returns the statement that stores a state unless a newer one is stored. The survey must be locked. */
export function collectingSurveyStatement(survey: CollectingSurvey): Statement {
  const { workspaceId, surveyId, revision, active, versionId, versionNumber, settingsJson, hasPassword } = survey;
  const params = [workspaceId, surveyId, revision, active, versionId, versionNumber, settingsJson, hasPassword];
  return { text: PUT, params };
}

const HOLD = `UPDATE collecting_surveys SET held_until = clock_timestamp() + $3::int4 * interval '1 millisecond'
  WHERE (workspace_id, survey_id) = ($1, $2) RETURNING 1 AS held`;

/**
 * Refuses answers to a stored survey until a newer state is stored; after a while, until its owner is asked
 * (`endedHoldStatement`). The survey must be locked.
 */
export async function holdSurvey(sql: Sql, { workspaceId, surveyId }: SurveyRef, ms: number): Promise<void> {
  await sql.query(HOLD, [workspaceId, surveyId, ms]);
}

const END_HOLD = `UPDATE collecting_surveys SET held_until = NULL
  WHERE (workspace_id, survey_id, revision) = ($1, $2, $3::int8) AND held_until <= clock_timestamp()`;

/** Returns the statement that makes a survey known again. `survey`: what its owner answered after the hold had ended. */
export function endedHoldStatement({ workspaceId, surveyId, revision }: CollectingSurvey): Statement {
  return { text: END_HOLD, params: [workspaceId, surveyId, revision] };
}
