import type { Violation } from "@canvass/inputs";
import { isJsonObject, languageKey, ownValue, type JsonObject } from "@canvass/values";
import type { SurveyDefinition, Translations } from "../definition.ts";
import { nameKey } from "../name-key.ts";
import { settingTemplateViolations } from "../piping/setting-templates.ts";
import { hasBraces } from "../piping/template.ts";
import { quotaViolations } from "../quotas/quota-violations.ts";
import { placedSettings, storedSetting } from "../survey-settings.ts";
import { keyedTexts } from "./document-templates.ts";
import type { FormerSurvey } from "./former-survey.ts";

const withPlaceholders = placedSettings.filter(({ setting }) => setting.hasPlaceholders);

/**
 * Puts placeholders back that the document of the former survey has no key for: of what left the draft, which the
 * published version may still ask. A setting, a message of a quota or its translation gets them if it is as that
 * document has it. Accepts any JSON.
 */
export function withKeptPlaceholders(document: JsonObject, former: FormerSurvey): JsonObject {
  const writes = keyedTexts(former.definition, former.keys, { ofSurvey: true });
  const keeps = keyedTexts(former.definition, former.keys, { ofSurvey: true, keepsGone: true });
  const keep: Keep = (given, stored) =>
    typeof stored === "string" && hasBraces(stored) && given === writes(stored) ? keeps(stored) : given;
  const quotas = ownValue(document, "quotas");
  return {
    ...withKeptSettings(document, former, keep),
    ...(Array.isArray(quotas) && { quotas: keepMessages(quotas, former.definition, keep) }),
  };
}

/** Returns the given text, or the stored one if it is written like that. */
type Keep = (given: unknown, stored: unknown) => unknown;

function withKeptSettings(document: JsonObject, { settings: stored = {}, translations }: FormerSurvey, keep: Keep) {
  const given = ownValue(document, "settings");
  if (!isJsonObject(given)) return document;
  const settings = { ...given };
  const places = new Set<string>();
  for (const { group, key } of withPlaceholders) {
    const values = ownValue(settings, group);
    const text = isJsonObject(values) ? ownValue(values, key) : undefined;
    const kept = keep(text, storedSetting(stored, group, key));
    if (kept === text) continue;
    settings[group] = { ...(values as JsonObject), [key]: kept };
    places.add(`settings.${group}.${key}`);
  }
  return { ...withKeptTranslations(document, translations, places, keep), settings };
}

function keepMessages(given: unknown[], { quotas = [] }: SurveyDefinition, keep: Keep): unknown[] {
  const byName = new Map(quotas.map((quota) => [nameKey(quota.name), quota]));
  return given.map((quota) => {
    if (!isJsonObject(quota) || typeof quota["name"] !== "string") return quota;
    const { message: stored, translations = {} } = byName.get(nameKey(quota["name"])) ?? {};
    const message = keep(quota["message"], stored);
    if (message === quota["message"]) return quota;
    return { ...withKeptTranslations(quota, translations, new Set(["message"]), keep), message };
  });
}

/** `places`: of the texts that keep placeholders, since translations have those of their source. */
function withKeptTranslations(
  owner: JsonObject,
  stored: Translations,
  places: ReadonlySet<string>,
  keep: Keep,
): JsonObject {
  const given = ownValue(owner, "translations");
  if (!isJsonObject(given) || places.size === 0) return owner;
  const translations = Object.entries(given).map(([tag, texts]) => {
    if (!isJsonObject(texts)) return [tag, texts];
    const known = stored[languageKey(tag)] ?? {};
    const kept = Object.entries(texts).map(([place, text]) => [
      place,
      places.has(place) ? keep(text, known[place]?.text) : text,
    ]);
    return [tag, Object.fromEntries(kept) as JsonObject];
  });
  return { ...owner, translations: Object.fromEntries(translations) as JsonObject };
}

/** Returns the violations of placeholders in settings that the former survey does not have. */
export function newSettingViolations(settings: unknown, definition: SurveyDefinition, former: FormerSurvey) {
  const keyOf = ({ path, message }: Violation) => `${path} ${message}`;
  const old = new Set(settingTemplateViolations(former.settings, former.definition).map(keyOf));
  return settingTemplateViolations(settings, definition).filter((each) => !old.has(keyOf(each)));
}

/** Returns the violations of quotas; of their messages only those that the former survey does not have. */
export function newQuotaViolations(definition: SurveyDefinition, former: FormerSurvey): Violation[] {
  const keyed = ({ quotas = [] }: SurveyDefinition) => {
    return ({ path, message }: Violation): string | undefined => {
      const [, at, place] = /^quotas\.(\d+)\.((?:message|translations).*)$/.exec(path) ?? [];
      return place && `${quotas[Number(at)]!.quotaId} ${place} ${message}`;
    };
  };
  const old = new Set(quotaViolations(former.definition, "quotas").map(keyed(former.definition)));
  const keyOf = keyed(definition);
  return quotaViolations(definition, "quotas").filter((each) => {
    const key = keyOf(each);
    return key === undefined || !old.has(key);
  });
}
