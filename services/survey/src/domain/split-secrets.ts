import { placedSettings, type SurveySettingsPatch } from "@canvass/questions";

/** Divides stored settings into secrets, such as the password's hash, and all others. */
export function splitSecrets(settingsJson: string): { secrets: SurveySettingsPatch; others: SurveySettingsPatch } {
  const others = JSON.parse(settingsJson) as SurveySettingsPatch;
  const secrets: SurveySettingsPatch = {};
  for (const { group, key, setting } of placedSettings) {
    const { [key]: value, ...rest } = others[group] ?? {};
    if (!setting.isSecret || value === undefined) continue;
    secrets[group] = { ...secrets[group], [key]: value };
    others[group] = rest;
  }
  return { secrets, others };
}
