import type { Violation } from "@canvass/inputs";
import { isSameJson, ownValue, type JsonObject } from "@canvass/values";
import type { TranslatedTexts, Translations } from "../definition.ts";
import { mostViolations } from "../most-violations.ts";
import { jsonBytes, weightLimits } from "../weight.ts";
import { nameResolver } from "../piping/resolve-names.ts";
import { readTexts, type DigestText } from "./read-texts.ts";
import { textOwners, type TextOwner, type TranslatedSurvey } from "./text-owners.ts";
import { textAt } from "./translate.ts";

/** A text of a survey, and its translation into one language. */
export interface TranslatedPlace {
  /** Within the survey (contract 6.17). */
  place: string;
  source: string;
  /** Null: none. */
  target: string | null;
  /** The source has changed since. */
  isOutdated: boolean;
}

/** Lists every text that respondents see, in the survey's order. Yields after each question. */
export function* translationOf(
  survey: TranslatedSurvey,
  language: string,
  digest: DigestText,
): Generator<void, TranslatedPlace[]> {
  const places: TranslatedPlace[] = [];
  for (const { texts, translations, keyOf } of textOwners(survey)) {
    const own = textsIn(translations, language);
    for (const { place, text: source, retired } of texts) {
      if (retired) continue;
      const target = textAt(own, place) ?? null;
      const isOutdated = target !== null && own[place]!.source !== digest(source);
      places.push({ place: keyOf(place), source, target, isOutdated });
    }
    yield;
  }
  return places;
}

export interface TranslationChange extends Pick<TextOwner, "kind" | "id"> {
  /** Complete, in all languages. */
  translations: Translations;
}

export interface TranslationInput {
  language: string;
  /** Texts by place; null removes. */
  texts: JsonObject;
  /** Keeps the texts at places that `texts` does not name. */
  merges: boolean;
}

/**
 * Reads a translation of a survey (contract 6.17). Returns what changes, or every violation, also of the limits of
 * `weightLimits`. Yields after each question.
 */
export function* readingTranslation(
  survey: TranslatedSurvey,
  { language, texts: input, merges }: TranslationInput,
  digest: DigestText,
): Generator<void, { changes: TranslationChange[]; violations: Violation[] }> {
  const violations: Violation[] = [];
  const changes: TranslationChange[] = [];
  const unknown = new Set(Object.keys(input));
  const bytes = { language: 0, all: 0 };
  const resolve = nameResolver(survey.definition);
  for (const { kind, id, texts, translations, keyOf } of textOwners(survey)) {
    const former = textsIn(translations, language);
    const reading = { input, keyOf, pathOf: (key: string) => key, merges, digest, resolve };
    const read = readTexts(texts, former, reading, unknown, violations);
    const next = withTexts(translations, language, read);
    if (!isSameJson(former, read)) changes.push({ kind, id, translations: next });
    bytes.language += jsonBytes(read);
    for (const own of Object.values(next)) bytes.all += jsonBytes(own);
    if (violations.length >= mostViolations) break;
    yield;
  }
  if (violations.length < mostViolations) {
    for (const path of unknown) violations.push({ path, message: "is not the path of a text of this survey" });
  }
  return { changes, violations: [...violations, ...translationBytesViolations(bytes, "translations")] };
}

/** Refuses translations that take too much room. */
export function translationBytesViolations(bytes: { language: number; all: number }, path: string): Violation[] {
  const limits = [
    [bytes.language, weightLimits.languageBytes, "into one language"],
    [bytes.all, weightLimits.translationBytes, "into all languages together"],
  ] as const;
  return limits.flatMap(([size, most, which]) => {
    const message = `must not bring the survey's translations ${which} above ${most} bytes of JSON`;
    return size > most ? [{ path, message }] : [];
  });
}

export function withTexts(translations: Translations, language: string, texts: TranslatedTexts): Translations {
  const { [language]: _, ...others } = translations;
  return isSameJson(texts, {}) ? others : { ...others, [language]: texts };
}

export function textsIn(translations: Translations, language: string): TranslatedTexts {
  return (ownValue(translations, language) as TranslatedTexts | undefined) ?? {};
}
