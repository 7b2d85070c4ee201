import { type Violation } from "@canvass/inputs";
import { isJsonObject, ownValue } from "@canvass/values";
import { placedSettings, type SurveySettingsPatch } from "./survey-settings.ts";

/**
 * Takes secrets of `true`, which stay as they are, out of given settings. Without a stored secret that is a violation.
 * `stored`: undefined to find only the violations that do not depend on it.
 */
export function withoutKeptSecrets(given: unknown, stored: SurveySettingsPatch | undefined) {
  const kept = new Set<string>();
  const violations: Violation[] = [];
  if (!isJsonObject(given)) return { settings: given, kept, violations };
  const settings = { ...given };
  for (const { group, key } of placedSettings.filter(({ setting }) => setting.isSecret)) {
    const values = settings[group];
    if (!isJsonObject(values) || ownValue(values, key) !== true) continue;
    const { [key]: _, ...others } = values;
    settings[group] = others;
    kept.add(`${group}.${key}`);
    if (!stored || (stored[group]?.[key] ?? null) !== null) continue;
    const message = "must be a text: true keeps what the survey has, and it has none";
    violations.push({ path: `settings.${group}.${key}`, message });
  }
  return { settings, kept, violations };
}
