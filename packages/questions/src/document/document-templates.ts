import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import { findQuestionType } from "../catalogue.ts";
import type { SurveyDefinition } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { declaredName } from "../fields/declared-name.ts";
import { readFields } from "../fields/read-fields.ts";
import { nameKey } from "../name-key.ts";
import { listNames } from "../list-names.ts";
import { withoutPlaceholders } from "../piping/remove-piped.ts";
import { referenceOf } from "../piping/reference.ts";
import { hasBraces, renamePlaceholders } from "../piping/template.ts";
import { placedSettings } from "../survey-settings.ts";
import { keyOf, type DocumentKeys } from "./document-keys.ts";
import type { FormerByKey } from "./former-survey.ts";

type MapText = (text: string) => string;

/** Maps all texts in a value. */
function mapTexts(value: unknown, map: MapText): unknown {
  if (typeof value === "string") return hasBraces(value) ? map(value) : value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, map)]));
}

/** Maps the texts of members that have that name. */
function mapMembers(object: JsonObject, names: readonly string[], map: MapText): JsonObject {
  const mapped = names.filter((name) => Object.hasOwn(object, name)).map((name) => [name, mapTexts(object[name], map)]);
  return { ...object, ...Object.fromEntries(mapped) };
}

function mapMessages(object: JsonObject, list: string, map: MapText): JsonObject {
  const entries = ownValue(object, list);
  if (!Array.isArray(entries)) return object;
  const mapped = entries.map((entry: unknown) =>
    isJsonObject(entry) ? mapMembers(entry, ["message", "translations"], map) : entry,
  );
  return { ...object, [list]: mapped };
}

/** Maps the texts of an element of a document. */
export const mapElementDocument = (element: JsonObject, map: MapText): JsonObject =>
  mapMessages(
    mapMembers(element, ["text", "helpText", "typeSettings", ...listNames, "translations"], map),
    "constraints",
    map,
  );

export const mapPageDocument = (page: JsonObject, map: MapText): JsonObject =>
  mapMembers(page, ["title", "translations"], map);

/** Maps texts of the survey itself: its settings with placeholders, and messages of quotas. */
export function mapSurveyDocument(document: JsonObject, map: MapText): JsonObject {
  const mapped = mapMessages(mapMembers(document, ["translations"], map), "quotas", map);
  const settings = ownValue(mapped, "settings");
  if (!isJsonObject(settings)) return mapped;
  const chosen: JsonObject = { ...settings };
  for (const { group, key, setting } of placedSettings) {
    const values = chosen[group];
    if (setting.hasPlaceholders && isJsonObject(values)) chosen[group] = mapMembers(values, [key], map);
  }
  return { ...mapped, settings: chosen };
}

/**
 * Returns a function that writes keys in the place of ids, and defaults in that of elements and fields that are gone.
 * `ofSurvey`: for texts of the survey itself, in which elements of pages that repeat have no value either. `keepsGone`:
 * leaves what is gone as it is instead.
 */
export function keyedTexts(
  definition: SurveyDefinition,
  keys: DocumentKeys,
  { ofSurvey = false, keepsGone = false }: { ofSurvey?: boolean; keepsGone?: boolean } = {},
): MapText {
  const fields = readFields(definition.fields);
  const isGone = (name: string) => {
    const reference = referenceOf(name);
    if (reference?.kind === "field") return declaredName(fields, reference.name) === undefined;
    if (reference?.kind !== "element") return false;
    const element = findElement(definition, reference.name);
    return !element || (ofSurvey && element.page.loop !== null);
  };
  const withoutGone = keepsGone ? (text: string) => text : withoutPlaceholders(isGone);
  return (text) =>
    hasBraces(text)
      ? renamePlaceholders(withoutGone(text), (name) =>
          referenceOf(name)?.kind === "element" && !isGone(name) ? keyInText(keyOf("element", name, keys)) : undefined,
        )
      : text;
}

/** Capitalizes the key `loop`, which would mean the item of a page that repeats: placeholders name keys in any case. */
const keyInText = (key: string): string =>
  referenceOf(key)?.kind === "element" ? key : key.replace(/^./, (first) => first.toUpperCase());

/** The elements of a document, by key: each has the id of the former element of its key and type, or a new one. */
export interface NamedElements {
  ids: ReadonlyMap<string, string>;
  document: JsonObject;
}

/**
 * Replaces keys and names of elements in the texts of a document with ids, and writes fields as they are declared.
 * Accepts any JSON.
 */
export function resolveDocument(document: JsonObject, former: FormerByKey, newId: () => string): NamedElements {
  const ids = new Map<string, string>();
  if (!hasBraces(JSON.stringify(document))) return { ids, document };
  const names = new Map<string, string>();
  const fields = readFields(ownValue(document, "fields"));
  const list = ownValue(document, "pages");
  const pages = (Array.isArray(list) ? list : []) as unknown[];
  const elementsOf = (page: unknown) => {
    const elements = isJsonObject(page) ? ownValue(page, "elements") : undefined;
    return Array.isArray(elements) ? (elements as unknown[]) : [];
  };
  for (const element of pages.flatMap(elementsOf)) {
    if (!isJsonObject(element)) continue;
    const [key, type, name] = [element["key"], element["type"], element["name"]];
    const found = typeof type === "string" ? findQuestionType(type) : undefined;
    if (typeof key !== "string" || !found || ids.has(key)) continue;
    ids.set(key, former.element(key, found.number)?.elementId ?? newId());
    if (typeof name === "string") names.set(nameKey(name), ids.get(key)!);
  }
  const map = (text: string) =>
    renamePlaceholders(text, (name) => {
      const reference = referenceOf(name);
      if (reference?.kind === "element") return ids.get(name.toLowerCase()) ?? names.get(nameKey(name));
      const declared = reference?.kind === "field" && declaredName(fields, reference.name);
      return declared ? `field.${declared}` : undefined;
    });
  const resolved = pages.map((page) =>
    isJsonObject(page)
      ? {
          ...mapPageDocument(page, map),
          ...(Array.isArray(page["elements"]) && {
            elements: elementsOf(page).map((element) =>
              isJsonObject(element) ? mapElementDocument(element, map) : element,
            ),
          }),
        }
      : page,
  );
  return { ids, document: { ...mapSurveyDocument(document, map), ...(Array.isArray(list) && { pages: resolved }) } };
}
