import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../domain/survey-ref.ts";

export interface CollectionRow extends SurveyRef {
  active: boolean;
  versionId: string | null;
  versionNumber: number;
  settingsJson: string;
  revision: number;
}

const FIND = `SELECT s.workspace_id AS "workspaceId", s.survey_id AS "surveyId", s.active,
  s.published_version_id AS "versionId", s.published_version AS "versionNumber", s.settings::text AS "settingsJson", s.revision
FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, survey_id)
JOIN surveys s USING (workspace_id, survey_id)`;

/** Reads collecting states with one statement, in any order; omits unknown surveys. `refs` must be unique. */
export async function findCollections(sql: Sql, refs: readonly SurveyRef[]): Promise<CollectionRow[]> {
  if (refs.length === 0) return [];
  return sql.query<CollectionRow>(FIND, [
    refs.map(({ workspaceId }) => workspaceId),
    refs.map(({ surveyId }) => surveyId),
  ]);
}
