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

/** Stores translations where they changed. The survey must be locked. */
export async function saveTranslations(
  sql: Sql,
  survey: SurveyRef,
  changes: readonly TranslationChange[],
): Promise<void> {
  const own = changes.find(({ kind }) => kind === "survey");
  if (own) await saveSurveyTranslations(sql, survey, own.translations);
  for (const kind of ["page", "element"] as const) {
    const changed = changes.filter((change) => change.kind === kind);
    const rows = await mapInSlices(changed, ({ id, translations }) => JSON.stringify({ id, translations }));
    for (let from = 0; from < rows.length; from += atOnce) {
      const portion = `[${rows.slice(from, from + atOnce).join(",")}]`;
      await sql.query(SAVE[kind], [survey.workspaceId, survey.surveyId, portion]);
    }
  }
}
