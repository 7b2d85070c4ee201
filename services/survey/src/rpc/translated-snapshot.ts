import { inTransaction, type Sql } from "@canvass/postgres";
import type { TranslatedSurvey } from "@canvass/questions";
import type { SurveyContext } from "../context.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { translatedSurvey } from "../domain/translated-survey.ts";
import { readDraft } from "../storage/draft.ts";
import { findSurveyTranslations } from "../storage/translations.ts";
import { requireSurvey } from "./require-survey.ts";

/** Reads a survey, its draft and all translations in one snapshot, without blocking writers. */
export function readTranslatedSnapshot(
  { database }: SurveyContext,
  ref: SurveyRef,
): Promise<{ survey: SurveyRecord; translated: TranslatedSurvey }> {
  const read = async (sql: Sql) => {
    const survey = await requireSurvey(sql, ref);
    return { survey, translated: await readTranslated(sql, survey) };
  };
  return inTransaction(database.pool, read, { isolation: "repeatable read" });
}

/** Needs a locked survey, or a transaction that reads one snapshot. */
export async function readTranslated(sql: Sql, survey: SurveyRecord): Promise<TranslatedSurvey> {
  return translatedSurvey(survey, await readDraft(sql, survey), await findSurveyTranslations(sql, survey));
}
