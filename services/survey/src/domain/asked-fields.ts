import {
  newLogicViolations,
  quotaViolations,
  settingTemplateViolations,
  type HiddenField,
  type SurveyDefinition,
  type SurveySettingsPatch,
} from "@canvass/questions";
import type { Violation } from "@canvass/inputs";

/**
 * Returns a violation for each condition or text that `fields` would break: they omit its field or change its type.
 * Yields per page.
 */
export function* askedFieldViolations(
  definition: SurveyDefinition,
  fields: HiddenField[],
  settings: SurveySettingsPatch,
): Generator<void, Violation[]> {
  const after = { ...definition, fields };
  const before = new Set(quotaViolations(definition, "quotas").map(({ path }) => path));
  const told = new Set(settingTemplateViolations(settings, definition).map(({ path }) => path));
  const broken = [
    ...(yield* newLogicViolations(definition, after)),
    ...settingTemplateViolations(settings, after).filter(({ path }) => !told.has(path)),
    ...quotaViolations(after, "quotas").filter(({ path }) => !before.has(path)),
  ];
  return broken.map(({ path, message }) => ({
    path: "fields",
    message: `must keep what conditions and texts refer to: ${path} ${message}`,
  }));
}
