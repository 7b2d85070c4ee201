import type { Sql } from "@canvass/postgres";
import { nameKey } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** Names are ASCII. Collation "C" folds them as `nameKey` does, independently of the database's locale. */
const FIND_TAKEN = `SELECT lower(name COLLATE "C") AS key FROM elements
WHERE workspace_id = $1 AND survey_id = $2 AND lower(name COLLATE "C") = ANY($3::text[]) AND element_id <> $4
UNION
SELECT lower((question ->> 'name') COLLATE "C") FROM retired_elements
WHERE workspace_id = $1 AND survey_id = $2 AND lower((question ->> 'name') COLLATE "C") = ANY($3::text[]) AND element_id <> $4
UNION
SELECT lower((f.field ->> 'name') COLLATE "C") FROM surveys s, jsonb_array_elements(s.fields) AS f (field)
WHERE s.workspace_id = $1 AND s.survey_id = $2 AND lower((f.field ->> 'name') COLLATE "C") = ANY($3::text[])`;

/** Returns the name keys of `names` that other elements of a locked survey have, also retired ones, or its fields. */
export async function findTakenNameKeys(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  names: readonly string[],
  elementId = "",
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await sql.query<{ key: string }>(FIND_TAKEN, [workspaceId, surveyId, names.map(nameKey), elementId]);
  return new Set(rows.map(({ key }) => key));
}

const FIND_NAMES = `SELECT lower(name COLLATE "C") AS key FROM elements
WHERE workspace_id = $1 AND survey_id = $2 AND name IS NOT NULL`;

/** Returns the name keys of the draft's elements. */
export async function findElementNameKeys(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<Set<string>> {
  const rows = await sql.query<{ key: string }>(FIND_NAMES, [workspaceId, surveyId]);
  return new Set(rows.map(({ key }) => key));
}

const FIND_RETIRED = `SELECT lower((question ->> 'name') COLLATE "C") AS key, element_id AS "elementId" FROM retired_elements
WHERE workspace_id = $1 AND survey_id = $2 AND question ? 'name'`;

/** Returns the ids of a survey's retired elements that have a name, by name key. */
export async function findRetiredIdsByName(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
): Promise<Map<string, string>> {
  const rows = await sql.query<{ key: string; elementId: string }>(FIND_RETIRED, [workspaceId, surveyId]);
  return new Map(rows.map(({ key, elementId }) => [key, elementId]));
}

const RELEASE = `UPDATE retired_elements SET question = question - 'name', bytes = octet_length((question - 'name')::text)
WHERE workspace_id = $1 AND survey_id = $2 AND lower((question ->> 'name') COLLATE "C") IN (
  SELECT lower(e.name COLLATE "C") FROM elements e WHERE e.workspace_id = $1 AND e.survey_id = $2 AND e.name IS NOT NULL)`;

/** Takes from retired elements the names that elements of the draft have: a restored draft brings its names back. */
export async function releaseNames(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<void> {
  await sql.query(RELEASE, [workspaceId, surveyId]);
}
