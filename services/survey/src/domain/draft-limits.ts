import type { DefinitionLimits, SurveySettingsPatch } from "@canvass/questions";

/** What a draft is checked by, besides itself, before it is published. */
export function draftLimits(
  { mostFileBytes }: { mostFileBytes: number },
  { privacy }: SurveySettingsPatch,
): DefinitionLimits {
  return { mostFileBytes, isAnonymous: privacy?.["anonymity"] === "full" };
}
