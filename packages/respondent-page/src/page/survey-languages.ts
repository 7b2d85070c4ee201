import { spokenLanguage } from "../words/languages.ts";

/** English is built in. */
const loaders: Record<string, () => Promise<unknown>> = {
  ar: () => import("survey-core/i18n/arabic"),
  de: () => import("survey-core/i18n/german"),
  es: () => import("survey-core/i18n/spanish"),
  fr: () => import("survey-core/i18n/french"),
};

/** Loads SurveyJS's translation for a language tag. Returns SurveyJS's name of the language. */
export async function loadSurveyLanguage(tag: string): Promise<string> {
  const language = spokenLanguage(tag);
  await loaders[language]?.();
  return language;
}
