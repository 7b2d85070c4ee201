import {
  knownTranslations,
  textsOfSurvey,
  type SurveyDefinition,
  type SurveySettingsPatch,
  type TranslatedSurvey,
  type Translations,
} from "@canvass/questions";
import type { SurveyRecord } from "./survey-record.ts";

/** Returns a survey with all its texts. `translations` are those of its own texts, as stored. */
export function translatedSurvey(
  { name, description, settingsJson }: SurveyRecord,
  definition: SurveyDefinition,
  translations: Translations,
): TranslatedSurvey {
  const texts = { name, description, settings: JSON.parse(settingsJson) as SurveySettingsPatch };
  return { ...texts, translations: knownTranslations(textsOfSurvey(texts), translations), definition };
}
