import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import { surveyFieldsOf } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { keyedIds, writingDocument, type SurveyDefinition, type SurveySettingsPatch } from "@canvass/questions";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { translatedSurvey } from "../domain/translated-survey.ts";
import { findDocumentKeys } from "../storage/document-keys.ts";
import { readDraft } from "../storage/draft.ts";
import { readStoredDefinition } from "../storage/stored-definitions.ts";
import { findSurveyTranslations } from "../storage/translations.ts";
import { findVersionId } from "../storage/versions.ts";

/**
 * Returns the document of the draft (version 0), or of a version with the present fields and settings, as JSON. Needs a
 * locked survey, or a transaction that reads one snapshot. Throws `version_not_found`.
 */
export async function readSurveyAsDocument(sql: Sql, survey: SurveyRecord, versionNumber: number): Promise<string> {
  const definition = await readDefinition(sql, survey, versionNumber);
  const keys = await findDocumentKeys(sql, survey, await runInSlices(keyedIds(definition)));
  const settings = JSON.parse(survey.settingsJson) as SurveySettingsPatch;
  const { translations } = translatedSurvey(survey, definition, await findSurveyTranslations(sql, survey));
  return runInSlices(writingDocument({ fields: surveyFieldsOf(survey), settings, translations, definition, keys }));
}

async function readDefinition(sql: Sql, survey: SurveyRecord, versionNumber: number): Promise<SurveyDefinition> {
  if (versionNumber === 0) return readDraft(sql, survey);
  const id = await findVersionId(sql, survey, versionNumber);
  if (id === undefined) throw new AppError("version_not_found");
  return readStoredDefinition(sql, survey, { kind: "version", id });
}
