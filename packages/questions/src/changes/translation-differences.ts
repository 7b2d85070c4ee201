import { isSameJson } from "@canvass/values";
import type { Translations } from "../definition.ts";
import { textsIn } from "../translations/translation.ts";
import type { Difference } from "./change.ts";

export type DifferenceDraft = Omit<Difference, "elementId">;

type Translated = { translations?: Translations } | null;
type TranslationDifference = DifferenceDraft & Record<"before" | "after", { languages: string[] }>;

/** Translations are safe: an answer names no text. They may be long, so that the change names languages. */
export function translationDifferences(
  before: Translated,
  after: Translated,
  message: string,
): TranslationDifference[] {
  const [old, now] = [before?.translations ?? {}, after?.translations ?? {}];
  const languages = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((language) => !isSameJson(textsIn(old, language), textsIn(now, language)))
    .toSorted();
  if (before === null || after === null || languages.length === 0) return [];
  const having = (translations: Translations) => ({
    languages: languages.filter((language) => Object.hasOwn(translations, language)),
  });
  // The texts make the change another one when they change again.
  const subject = `translations ${JSON.stringify(languages.map((language) => textsIn(now, language)))}`;
  const common = { kind: "translations_changed", class: "safe", affectedResponses: 0, subject, message } as const;
  return [{ ...common, before: having(old), after: having(now) }];
}
