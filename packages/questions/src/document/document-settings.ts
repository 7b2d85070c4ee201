import { isSameJson, type JsonObject } from "@canvass/values";
import { withoutKeptSecrets } from "../kept-secrets.ts";
import { checkSettingsPatch, type SettingsPatchResult } from "../settings-patch.ts";
import { placedSettings, storedSetting, type SurveySettingsPatch } from "../survey-settings.ts";

/**
 * Returns the patch from stored settings to those of a document, in which an absent setting has its default. It
 * has only changes. A secret of `true` is unchanged; without a stored secret that is a violation. `known`: the stored
 * settings; undefined to find only the violations that do not depend on them.
 */
export function settingsOfDocument(document: JsonObject, known: SurveySettingsPatch | undefined): SettingsPatchResult {
  const stored = known ?? {};
  const given = Object.hasOwn(document, "settings") ? document["settings"] : {};
  const { settings: rest, kept, violations: ofSecrets } = withoutKeptSecrets(given, known);
  const checked = checkSettingsPatch(rest);
  const patch: SurveySettingsPatch = {};
  for (const { group, key, setting } of placedSettings) {
    const place = `${group}.${key}`;
    if (kept.has(place)) continue;
    const value = checked.settings[group]?.[key] ?? null;
    const [was, is] = [storedSetting(stored, group, key) ?? setting.default, value ?? setting.default];
    if (!isSameJson(was, is)) patch[group] = { ...patch[group], [key]: isSameJson(is, setting.default) ? null : value };
  }
  return { settings: patch, secrets: checked.secrets, violations: [...ofSecrets, ...checked.violations] };
}
