import type { DefinitionLimits, SurveySettingsPatch } from "@canvass/questions";
import { offeredLanguages } from "./survey-languages.ts";
import type { SurveyRecord } from "./survey-record.ts";

/** Returns the limits that settings and configuration set for a draft to be published. */
export function draftLimits(
  { mostFileBytes }: { mostFileBytes: number },
  { language, settingsJson }: Pick<SurveyRecord, "language" | "settingsJson">,
): DefinitionLimits {
  const { privacy } = JSON.parse(settingsJson) as SurveySettingsPatch;
  const languages = [language, ...offeredLanguages({ language, settingsJson })];
  return { mostFileBytes, isAnonymous: privacy?.["anonymity"] === "full", languages };
}
