import { translationStatus, type TranslatedSurvey, type TranslationStatus } from "@canvass/questions";
import { languageKey } from "@canvass/values";
import { digestText } from "./digest-text.ts";
import { offeredLanguages } from "./survey-languages.ts";
import type { SurveyRecord } from "./survey-record.ts";

/** Returns the status of each offered language, under its tag in the settings. */
export function* surveyTranslationStatus(
  survey: SurveyRecord,
  translated: TranslatedSurvey,
  mostPlaces: number,
): Generator<void, TranslationStatus[]> {
  const offered = offeredLanguages(survey);
  const statuses = yield* translationStatus(translated, offered.map(languageKey), digestText, mostPlaces);
  return statuses.map((status, at) => ({ ...status, language: offered[at]! }));
}
