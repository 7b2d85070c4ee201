import { placedSettings, settingsWithDefaults, type SurveySettingsPatch } from "@canvass/questions";
import { LRUCache } from "lru-cache";

export type RenderSettings = (storedJson: string) => string;

const secrets = placedSettings.filter(({ setting }) => setting.isSecret);

/** For callers: fills in defaults; a secret reads as true if it is set, else as false. */
export const settingsForCallers: RenderSettings = remembering((stored) => {
  const settings = withDefaults(stored);
  for (const { group, key } of secrets) settings[group] = { ...settings[group], [key]: isSet(stored, group, key) };
  return settings;
});

/** For processes that collect answers: fills in defaults and omits secrets. */
export const settingsForCollecting: RenderSettings = remembering((stored) => {
  const settings = withDefaults(stored);
  for (const { group, key } of secrets) delete settings[group]?.[key];
  return settings;
});

/** Whether respondents who come by a link need a password. The substring test saves parsing: most surveys have none. */
export function hasPassword(storedJson: string): boolean {
  return (
    storedJson.includes('"password"') && isSet(JSON.parse(storedJson) as SurveySettingsPatch, "access", "password")
  );
}

/** For the audit log: chosen settings as an object. A secret reads as "set", or "changed" if `beforeJson` differs. */
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

/** Caches renderings by stored JSON. Nearly every call is a hit: most surveys keep the defaults, and reads repeat. */
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
