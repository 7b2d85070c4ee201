import type { Question, TranslatedTexts, Translations } from "../definition.ts";
import { textsOfQuestion, type PlacedText } from "./text-places.ts";

/** Drops the translations of texts that a question no longer has. Retired entries keep theirs. */
export function withKnownTranslations(question: Question): Question {
  if (!question.translations) return question;
  const { translations, ...source } = question;
  const known = knownTranslations(textsOfQuestion(source), translations);
  return Object.keys(known).length > 0 ? { ...source, translations: known } : source;
}

/** Returns the translations of the given texts alone. */
export function knownTranslations(texts: readonly PlacedText[], translations: Translations): Translations {
  const places = new Set(texts.map(({ place }) => place));
  return Object.fromEntries(
    Object.entries(translations).flatMap(([language, own]): [string, TranslatedTexts][] => {
      const kept = Object.entries(own).filter(([place]) => places.has(place));
      return kept.length > 0 ? [[language, Object.fromEntries(kept)]] : [];
    }),
  );
}
