import {
  knownTranslations,
  textsOfSurvey,
  type SurveyDefinition,
  type SurveySettingsPatch,
  type SurveyTexts,
  type TranslatedSurvey,
  type Translations,
} from "@canvass/questions";
import type { SurveyRecord } from "./survey-record.ts";

/** Returns a survey with all its texts. `translations` are those of its own texts, as stored. */
export function translatedSurvey(
  survey: SurveyRecord,
  definition: SurveyDefinition,
  translations: Translations,
): TranslatedSurvey {
  return { ...ownTextsOf(survey), translations: ownTranslations(survey, translations), definition };
}

/** Returns the translations of texts that the survey itself has. */
export function ownTranslations(survey: SurveyRecord, translations: Translations): Translations {
  return knownTranslations(textsOfSurvey(ownTextsOf(survey)), translations);
}

/** Whether a change took a text of the survey itself away. */
export function losesText(before: SurveyRecord, after: SurveyRecord): boolean {
  const left = new Set(textsOfSurvey(ownTextsOf(after)).map(({ place }) => place));
  return textsOfSurvey(ownTextsOf(before)).some(({ place }) => !left.has(place));
}

function ownTextsOf({ name, description, settingsJson }: SurveyRecord): SurveyTexts {
  return { name, description, settings: JSON.parse(settingsJson) as SurveySettingsPatch };
}
