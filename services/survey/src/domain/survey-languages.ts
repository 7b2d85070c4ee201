import { validationFailed, violationAt } from "@canvass/inputs";
import { storedSetting, type SurveySettingsPatch } from "@canvass/questions";
import { languageKey } from "@canvass/values";
import type { SurveyRecord } from "./survey-record.ts";

/** Returns the languages that a survey offers beside its own, as its settings write them. */
export function offeredLanguages({
  settingsJson,
  language,
}: Pick<SurveyRecord, "settingsJson" | "language">): string[] {
  const settings = JSON.parse(settingsJson) as SurveySettingsPatch;
  const offered = (storedSetting(settings, "locale", "languages") ?? []) as string[];
  return offered.filter((tag) => languageKey(tag) !== languageKey(language));
}

/** Returns the canonical tag of an offered language. Throws `validation_failed` for any other. */
export function requireOffered(survey: SurveyRecord, asked: string): string {
  const offered = offeredLanguages(survey);
  const key = languageKey(asked);
  if (offered.some((tag) => languageKey(tag) === key)) return key;
  const known = offered.length > 0 ? offered.join(", ") : "it has none";
  throw validationFailed(violationAt("language", `must be a language that the survey offers beside its own: ${known}`));
}
