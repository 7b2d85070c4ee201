import { joinPath, type Violation } from "@canvass/inputs";
import { isJsonObject, ownValue } from "@canvass/values";
import type { SurveyDefinition } from "../definition.ts";
import { indexOf } from "../definition-index.ts";
import { placedSettings, type SurveySettingsPatch } from "../survey-settings.ts";
import type { ResolveNames } from "./resolve-names.ts";
import { hasBraces } from "./template.ts";
import { surveyTemplateViolations } from "./template-violations.ts";

const withPlaceholders = placedSettings.filter(({ setting }) => setting.hasPlaceholders);

/** The texts in settings that have braces. Any JSON may be given. */
function templatesIn(settings: unknown): { group: string; key: string; text: string }[] {
  return withPlaceholders.flatMap(({ group, key }) => {
    const values = isJsonObject(settings) ? ownValue(settings, group) : undefined;
    const text = isJsonObject(values) ? ownValue(values, key) : undefined;
    return typeof text === "string" && hasBraces(text) ? [{ group, key, text }] : [];
  });
}

export const haveTemplates = (settings: unknown): boolean => templatesIn(settings).length > 0;

/** Writes ids where settings name elements. */
export function resolveSettings(settings: SurveySettingsPatch, resolve: ResolveNames): SurveySettingsPatch {
  const resolved: SurveySettingsPatch = { ...settings };
  for (const { group, key, text } of templatesIn(settings)) {
    resolved[group] = { ...resolved[group], [key]: resolve(text) };
  }
  return resolved;
}

/** Returns the violations of placeholders in settings whose names are resolved. */
export function settingTemplateViolations(settings: unknown, definition: SurveyDefinition): Violation[] {
  return templatesIn(settings).flatMap(({ group, key, text }) =>
    surveyTemplateViolations(
      text,
      joinPath("settings", joinPath(group, key)),
      indexOf(definition),
      key === "redirectUrl" ? "address" : "plain",
    ),
  );
}
