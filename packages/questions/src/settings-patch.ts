import type { Plan } from "@canvass/access";
import { Type, type TSchema } from "typebox";
import { checkShape, type Violation, joinPath } from "@canvass/inputs";
import { isJsonObject, isSameJson, parseInstant } from "@canvass/values";
import { withoutKeptSecrets } from "./kept-secrets.ts";
import {
  placedSettings,
  storedSetting,
  type PlacedSetting,
  type SurveySettings,
  type SurveySettingsPatch,
} from "./survey-settings.ts";

export interface SettingsPatchResult {
  settings: SurveySettingsPatch;
  /** Paths (`access.password`) of plain values in `settings` that must be hashed before storing. */
  secrets: string[];
  violations: Violation[];
}

export type LockedSetting = { path: string; requiredPlan: Plan };

const ranks: Record<Plan, number> = { free: 0, starter: 1, professional: 2, enterprise: 3 };
const groupNames = [...new Set(placedSettings.map(({ group }) => group))];
export const settablePathsText = placedSettings.map(({ group, key }) => `settings.${group}.${key}`).join(", ");

/** Shape of a settings patch and of settings in responses, for API documents. `checkSettingsPatch` validates a patch. */
export const settingsPatchSchema = Type.Object(
  Object.fromEntries(groupNames.map((group) => [group, Type.Optional(groupSchema(group))])),
  { additionalProperties: false, title: "SurveySettings" },
);

function groupSchema(group: string): TSchema {
  const keys = placedSettings.filter((place) => place.group === group);
  const properties = keys.map(({ key, setting }) => {
    const description = `${setting.summary} Null: the default.`;
    // Responses have true or false instead of a secret.
    const schema = setting.isSecret
      ? Type.Union([setting.schema, Type.Boolean()], {
          title: "SurveyPassword",
          description: `${setting.summary} Read as true or false; true keeps the present one, null or false removes it.`,
        })
      : Type.Union([setting.schema, Type.Null()], { description });
    return [key, Type.Optional(schema)];
  });
  const title = `${group.charAt(0).toUpperCase()}${group.slice(1)}Settings`;
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false, title });
}

function find(group: string, key: string): PlacedSetting | undefined {
  return placedSettings.find((place) => place.group === group && place.key === key);
}

/**
 * Validates a patch (contract 6.3): null unsets, absent settings stay, and so does a secret of `true`. `known`: the
 * stored settings, for rules between settings; undefined to find only the violations that do not depend on them.
 */
export function checkSettingsPatch(given: unknown, known?: SurveySettingsPatch): SettingsPatchResult {
  const path = "settings";
  const stored = known ?? {};
  const { settings: patch, violations } = withoutKeptSecrets(given, known);
  if (!isJsonObject(patch)) return { settings: {}, secrets: [], violations: [{ path, message: "must be an object" }] };
  const settings: SurveySettingsPatch = {};
  const secrets: string[] = [];
  for (const [group, values] of Object.entries(patch)) {
    const groupPath = joinPath(path, group);
    if (!groupNames.includes(group)) violations.push({ path: groupPath, message: "is not a changeable setting" });
    else if (!isJsonObject(values)) violations.push({ path: groupPath, message: "must be an object" });
    else settings[group] = checkGroup(group, values, groupPath, secrets, violations);
  }
  joinAliases(settings, path, violations);
  checkSchedule({ ...stored, ...settings }, stored, path, violations);
  return { settings, secrets, violations: listSettable(violations) };
}

function checkGroup(group: string, values: object, path: string, secrets: string[], violations: Violation[]) {
  const checked: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(values)) {
    const keyPath = joinPath(path, key);
    const place = find(group, key);
    const value: unknown = place?.setting.isSecret && given === false ? null : given;
    if (!place) violations.push({ path: keyPath, message: "is not a changeable setting" });
    else if (checkSetting(place, value, keyPath, violations)) checked[key] = value;
    if (place?.setting.isSecret && value !== null) secrets.push(`${group}.${key}`);
  }
  return checked;
}

function checkSetting({ setting }: PlacedSetting, value: unknown, path: string, violations: Violation[]): boolean {
  if (value === null) return true;
  const before = violations.length;
  checkShape(setting.schema, value, path, violations);
  const message = violations.length === before ? setting.violation?.(value) : null;
  if (message) violations.push({ path, message });
  return violations.length === before;
}

/** Gives both names of a setting the value of the one that was given. */
function joinAliases(settings: SurveySettingsPatch, path: string, violations: Violation[]): void {
  for (const { group, key, setting } of placedSettings) {
    const values = settings[group];
    if (setting.aliasOf === undefined || !values) continue;
    const names = [setting.aliasOf, key];
    const given = names.filter((name) => Object.hasOwn(values, name));
    if (given.length === 2 && !isSameJson(values[names[0]!], values[key])) {
      const message = `must be the same as ${setting.aliasOf}, whose former name it is; give one of them`;
      violations.push({ path: joinPath(joinPath(path, group), key), message });
    }
    if (given.length > 0)
      settings[group] = { ...values, ...Object.fromEntries(names.map((name) => [name, values[given[0]!]])) };
  }
}

function listSettable(violations: Violation[]): Violation[] {
  const first = violations.findIndex(({ message }) => message === "is not a changeable setting");
  return violations.map((violation, index) =>
    index === first ? { ...violation, message: `${violation.message}; settable are ${settablePathsText}` } : violation,
  );
}

function checkSchedule(
  merged: SurveySettingsPatch,
  stored: SurveySettingsPatch,
  path: string,
  violations: Violation[],
): void {
  // An invalid time already has a violation; do not compare it.
  if (violations.some((violation) => violation.path.startsWith(joinPath(path, "schedule")))) return;
  const schedule = { ...stored["schedule"], ...merged["schedule"] };
  const [opensAt, closesAt] = [instantOf(schedule["opensAt"]), instantOf(schedule["closesAt"])];
  if (opensAt && closesAt && opensAt >= closesAt) {
    violations.push({ path: joinPath(path, "schedule.closesAt"), message: "must be after opensAt" });
  }
}

function instantOf(value: unknown): Date | null {
  return typeof value === "string" ? parseInstant(value) : null;
}

/** Applies a validated patch; settings set to null are removed. Hash the patch's secrets first. */
export function applySettingsPatch(stored: SurveySettingsPatch, patch: SurveySettingsPatch): SurveySettingsPatch {
  const result: SurveySettingsPatch = { ...stored };
  for (const [group, values] of Object.entries(patch)) {
    const kept = Object.entries({ ...stored[group], ...values }).filter(([, value]) => value !== null);
    result[group] = Object.fromEntries(kept);
  }
  return result;
}

/** Includes defaults and stored secrets, so do not return it to callers. */
export function settingsWithDefaults(stored: SurveySettingsPatch): SurveySettings {
  const settings: SurveySettingsPatch = {};
  for (const { group, key, setting } of placedSettings) {
    const value = storedSetting(stored, group, key);
    settings[group] = { ...settings[group], [key]: value ?? structuredClone(setting.default) };
  }
  return settings as SurveySettings;
}

/** Returns the settings of a patch that need a better plan. Null and default values need none. */
export function settingsBeyondPlan(patch: SurveySettingsPatch, plan: Plan): LockedSetting[] {
  return changes(patch)
    .filter(({ setting, value }) => setting.plan && ranks[setting.plan] > ranks[plan] && isLocked(setting, value))
    .map(({ group, key, setting }) => ({
      path: `settings.${group}.${key}`,
      requiredPlan: setting.plan ?? "enterprise",
    }));
}

function isLocked(setting: PlacedSetting["setting"], value: unknown): boolean {
  if (value === null || value === setting.default) return false;
  return setting.isLocked ? setting.isLocked(value) : true;
}

/** Returns the violations of a patch that changes settings which responses fix (contract 6.4). */
export function fixedSettingViolations(patch: SurveySettingsPatch, stored: SurveySettingsPatch): Violation[] {
  return changes(patch)
    .filter(({ group, key, setting, value }) => {
      const current = storedSetting(stored, group, key) ?? setting.default;
      return setting.isFixedByResponses && (value ?? setting.default) !== current;
    })
    .map(({ group, key }) => ({
      path: `settings.${group}.${key}`,
      message: "cannot change any more, because there are responses",
    }));
}

export function namesFixedSetting(patch: unknown): boolean {
  return isJsonObject(patch) && changes(patch as SurveySettingsPatch).some(({ setting }) => setting.isFixedByResponses);
}

function changes(patch: SurveySettingsPatch) {
  return placedSettings
    .filter(({ group, key }) => Object.hasOwn(patch, group) && Object.hasOwn(patch[group] ?? {}, key))
    .map((place) => ({ ...place, value: patch[place.group]?.[place.key] }));
}
