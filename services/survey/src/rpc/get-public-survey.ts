import type { MessageInitShape } from "@bufbuild/protobuf";
import { settingsWithDefaults, textsIn, type SurveySettingsPatch } from "@canvass/questions";
import { isId, languageKey, lookUpLanguage } from "@canvass/values";
import type { GetPublicSurveyRequest, GetPublicSurveyResponseSchema } from "@canvass/proto/survey";
import type { SurveyContext } from "../context.ts";
import { offeredLanguages } from "../domain/survey-languages.ts";
import { findPublicSurvey } from "../storage/public-survey.ts";
import { findSurveyTranslations } from "../storage/translations.ts";
import { toCollectionMessage } from "./batch-get-collections.ts";

export async function getPublicSurvey(
  { database }: SurveyContext,
  { workspaceId, surveyId, wantedLanguage, contactLanguage }: GetPublicSurveyRequest,
): Promise<MessageInitShape<typeof GetPublicSurveyResponseSchema>> {
  const ref = { workspaceId, surveyId };
  const row = isId(surveyId) ? await findPublicSurvey(database.sql, ref) : undefined;
  if (!row) return { collection: { found: false } };
  const { name, description, language, ...collection } = row;
  const { privacy } = settingsWithDefaults(JSON.parse(row.settingsJson) as SurveySettingsPatch);
  const wanted = wantedLanguage || (privacy.anonymity === "none" ? contactLanguage : "");
  const shownLanguage = lookUpLanguage(wanted, [language, ...offeredLanguages(row)]) ?? language;
  const isOwn = shownLanguage === language;
  const texts = isOwn ? {} : textsIn(await findSurveyTranslations(database.sql, ref), languageKey(shownLanguage));
  const plain = Object.entries(texts).map(([place, { text }]) => [place, text]);
  const shown = { shownLanguage, textsJson: plain.length > 0 ? JSON.stringify(Object.fromEntries(plain)) : "" };
  return { name, description, language, ...shown, collection: toCollectionMessage(collection) };
}
