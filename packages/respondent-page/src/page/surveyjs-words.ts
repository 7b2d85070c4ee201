import { spokenLanguage } from "../words/languages.ts";

/** SurveyJS includes English. */
const loaders: Record<string, () => Promise<unknown>> = {
  ar: () => import("survey-core/i18n/arabic"),
  de: () => import("survey-core/i18n/german"),
  es: () => import("survey-core/i18n/spanish"),
  fr: () => import("survey-core/i18n/french"),
};

/** Loads SurveyJS's own texts in the page language nearest to the tag, and returns that language. */
export async function loadSurveyjsWords(tag: string): Promise<string> {
  const language = spokenLanguage(tag);
  await loaders[language]?.();
  return language;
}
