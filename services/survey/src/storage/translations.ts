import { mapInSlices } from "@canvass/fairness";
import type { Sql } from "@canvass/postgres";
import type { TranslationChange, Translations } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** Returns the translations of a survey's own texts. */
export async function findSurveyTranslations(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<Translations> {
  const find = "SELECT translations FROM surveys WHERE workspace_id = $1 AND survey_id = $2";
  const [row] = await sql.query<{ translations: Translations | null }>(find, [workspaceId, surveyId]);
  return row?.translations ?? {};
}

const FIND_NAMING = `SELECT element_id AS "elementId" FROM elements
WHERE workspace_id = $1 AND survey_id = $2 AND strpos(translations::text, $3) > 0`;

/** Returns the ids of the draft's elements whose translations name an element, also where their texts no longer do. */
export async function findElementsWhoseTranslationsName(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  elementId: string,
): Promise<string[]> {
  const rows = await sql.query<{ elementId: string }>(FIND_NAMING, [workspaceId, surveyId, elementId]);
  return rows.map((row) => row.elementId);
}

export async function saveSurveyTranslations(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  translations: Translations,
): Promise<void> {
  const save = "UPDATE surveys SET translations = nullif($3::jsonb, '{}') WHERE workspace_id = $1 AND survey_id = $2";
  await sql.query(save, [workspaceId, surveyId, JSON.stringify(translations)]);
}

const saving = (table: "pages" | "elements", id: string) => `UPDATE ${table} t
SET translations = nullif(c.translations, '{}')
FROM jsonb_to_recordset($3::jsonb) AS c (id text, translations jsonb)
WHERE t.workspace_id = $1 AND t.survey_id = $2 AND t.${id} = c.id`;

const SAVE = { page: saving("pages", "page_id"), element: saving("elements", "element_id") } as const;

const atOnce = 50;

const SAVE_QUOTAS = `UPDATE surveys s SET quotas = (
  SELECT coalesce(jsonb_agg(CASE WHEN c.id IS NULL THEN q.quota ELSE (q.quota - 'translations')
    || CASE WHEN c.translations = '{}' THEN '{}' ELSE jsonb_build_object('translations', c.translations) END END ORDER BY q.at), '[]')
  FROM jsonb_array_elements(s.quotas) WITH ORDINALITY AS q (quota, at)
  LEFT JOIN jsonb_to_recordset($3::jsonb) AS c (id text, translations jsonb) ON c.id = q.quota ->> 'quotaId'
)
WHERE s.workspace_id = $1 AND s.survey_id = $2`;

/** Stores translations where they changed. The survey must be locked. */
export async function saveTranslations(
  sql: Sql,
  survey: SurveyRef,
  changes: readonly TranslationChange[],
): Promise<void> {
  const own = changes.find(({ kind }) => kind === "survey");
  if (own) await saveSurveyTranslations(sql, survey, own.translations);
  const ofQuotas = changes.filter(({ kind }) => kind === "quota");
  if (ofQuotas.length > 0) {
    await sql.query(SAVE_QUOTAS, [survey.workspaceId, survey.surveyId, JSON.stringify(ofQuotas)]);
  }
  for (const kind of ["page", "element"] as const) {
    const changed = changes.filter((change) => change.kind === kind);
    const rows = await mapInSlices(changed, ({ id, translations }) => JSON.stringify({ id, translations }));
    for (let from = 0; from < rows.length; from += atOnce) {
      const portion = `[${rows.slice(from, from + atOnce).join(",")}]`;
      await sql.query(SAVE[kind], [survey.workspaceId, survey.surveyId, portion]);
    }
  }
}
