import { joinPath, type Violation } from "@canvass/inputs";
import { isJsonObject, isLanguageTag, languageKey, languageTagPattern, type JsonObject } from "@canvass/values";
import { Type } from "typebox";
import type { Choice, Column, Question, Translations } from "../definition.ts";
import { listNames } from "../list-names.ts";
import { mostViolations } from "../most-violations.ts";
import { readTexts, type DigestText } from "../translations/read-texts.ts";
import { textsIn, withTexts } from "../translations/translation.ts";
import { messagePlace, type PlacedText } from "../translations/text-places.ts";
import { keyOf, type DocumentKeys } from "./document-keys.ts";

/**
 * Texts in other languages, by language and by place: `title`, `text`, `helpText`, `settings.<path>`, `choices.<key>` …
 */
export const documentTranslations = Type.Optional(
  Type.Record(
    Type.String({ pattern: languageTagPattern }),
    Type.Record(Type.String({ maxLength: 200 }), Type.String(), { title: "DocumentTexts" }),
    {
      title: "DocumentTranslations",
      description:
        "by language tag, then by place, such as text, settings.labels.yes, choices.<key>, options.<key>.<key>, constraints.<position>.message; message of a quota",
    },
  ),
);

/** Writes translations by keys, in the order of `texts`; undefined if there are none. Leaves out retired entries. */
export function translationsDocument(
  texts: readonly PlacedText[],
  translations: Translations = {},
  placeOf: (place: string) => string = (place) => place,
): JsonObject | undefined {
  const languages = Object.keys(translations)
    .toSorted()
    .flatMap((language) => {
      const own = textsIn(translations, language);
      const given = texts.flatMap(({ place, retired }) =>
        !retired && Object.hasOwn(own, place) ? [[placeOf(place), own[place]!.text] as const] : [],
      );
      return given.length > 0 ? [[language, Object.fromEntries(given)] as const] : [];
    });
  return languages.length > 0 ? Object.fromEntries(languages) : undefined;
}

/**
 * Returns a function that writes a place with the keys of entries, for options that of their column, too, and constraints
 * by their position.
 */
export function keyedPlaces(question: Question, keys: Pick<DocumentKeys, "get">): (place: string) => string {
  const keyed = new Map<string, string>();
  const add = (list: string, entries: readonly (Choice & Partial<Column>)[] = [], within = "") => {
    for (const { id, options } of entries) {
      const key = `${within}${keyOf("entry", id, keys)}`;
      keyed.set(`${list}.${id}`, `${list}.${key}`);
      add("options", options, `${key}.`);
    }
  };
  for (const name of listNames) add(name, question[name]);
  // Constraints have no keys.
  for (const [at, each] of (question.logic?.constraints ?? []).entries()) {
    keyed.set(messagePlace(each, at), `constraints.${at}.message`);
  }
  return (place) => keyed.get(place) ?? place;
}

interface Reading {
  path: string;
  former: Translations | undefined;
  digest: DigestText;
  placeOf?: (place: string) => string;
}

/** Reads translations of a page, element, quota or survey; undefined if there are none. Their shape may be wrong. */
export function readTranslations(
  given: unknown,
  texts: readonly PlacedText[],
  { path, former = {}, digest, placeOf = (place) => place }: Reading,
  violations: Violation[],
): Translations | undefined {
  const byLanguage = new Map<string, JsonObject>();
  for (const [tag, input] of Object.entries(isJsonObject(given) ? given : {})) {
    const language = languageKey(tag);
    if (!isLanguageTag(tag) || !isJsonObject(input)) continue;
    if (byLanguage.has(language)) violations.push({ path: joinPath(path, tag), message: "is given twice" });
    // Other values already have a violation of the shape.
    byLanguage.set(language, Object.fromEntries(Object.entries(input).filter(([, text]) => typeof text === "string")));
  }
  let read: Translations = {};
  for (const language of new Set([...byLanguage.keys(), ...Object.keys(former)])) {
    const input = byLanguage.get(language) ?? {};
    const place = joinPath(path, language);
    const reading = { input, keyOf: placeOf, pathOf: (key: string) => joinPath(place, key), merges: false, digest };
    const unknown = new Set(Object.keys(input));
    read = withTexts(read, language, readTexts(texts, textsIn(former, language), reading, unknown, violations));
    for (const key of unknown) {
      violations.push({ path: joinPath(place, key), message: "is not the path of a text here" });
      if (violations.length >= mostViolations) break;
    }
  }
  return Object.keys(read).length > 0 ? read : undefined;
}
