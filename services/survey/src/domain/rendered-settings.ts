import { placedSettings, settingsWithDefaults, type SurveySettingsPatch } from "@canvass/questions";
import { LRUCache } from "lru-cache";

/** Turns the JSON of stored settings into the JSON a reader gets. */
export type RenderSettings = (storedJson: string) => string;

const secrets = placedSettings.filter(({ setting }) => setting.isSecret);

/** For callers: defaults filled in; a secret reads as true when it is set, else false. */
export const settingsForCallers: RenderSettings = remembering((stored) => {
  const settings = withDefaults(stored);
  for (const { group, key } of secrets) settings[group] = { ...settings[group], [key]: isSet(stored, group, key) };
  return settings;
});

/** For processes that collect answers: defaults filled in; secrets are left out. */
export const settingsForCollecting: RenderSettings = remembering((stored) => {
  const settings = withDefaults(stored);
  for (const { group, key } of secrets) delete settings[group]?.[key];
  return settings;
});

/** Whether those who come by a link give a password. Most surveys have none, and are told by a look-up. */
export function hasPassword(storedJson: string): boolean {
  return (
    storedJson.includes('"password"') && isSet(JSON.parse(storedJson) as SurveySettingsPatch, "access", "password")
  );
}

/**
 * For the audit log: what was chosen, as an object. A secret reads as "set", or as "changed" where it is another than
 * in the settings from before.
 */
export function settingsForAudit(storedJson: string, beforeJson = storedJson): SurveySettingsPatch {
  const [settings, before] = [storedJson, beforeJson].map((json) => JSON.parse(json) as SurveySettingsPatch);
  for (const { group, key } of secrets) {
    const was = before![group]?.[key];
    if (!isSet(settings!, group, key)) continue;
    const isAnother = isSet(before!, group, key) && was !== settings![group]![key];
    settings![group] = { ...settings![group], [key]: isAnother ? "changed" : "set" };
  }
  return settings!;
}

function withDefaults(stored: SurveySettingsPatch): SurveySettingsPatch {
  return settingsWithDefaults(stored);
}

function isSet(stored: SurveySettingsPatch, group: string, key: string): boolean {
  const value = stored[group]?.[key];
  return value !== undefined && value !== null;
}

/** Most surveys keep the defaults, and one that is read is read again, so nearly every rendering is a look-up. */
function remembering(render: (stored: SurveySettingsPatch) => SurveySettingsPatch): RenderSettings {
  const known = new LRUCache<string, string>({ max: 20_000, maxSize: 64 * 1024 * 1024, sizeCalculation: lengthOfBoth });
  return (storedJson) => {
    let rendered = known.get(storedJson);
    if (rendered === undefined) {
      rendered = JSON.stringify(render(JSON.parse(storedJson) as SurveySettingsPatch));
      known.set(storedJson, rendered);
    }
    return rendered;
  };
}

function lengthOfBoth(rendered: string, stored: string): number {
  return rendered.length + stored.length;
}
