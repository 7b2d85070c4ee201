import type { DigestText } from "./read-texts.ts";
import { textOwners, type TranslatedSurvey } from "./text-owners.ts";
import { textsIn } from "./translation.ts";

/** How far the translation into a language is. */
export interface TranslationStatus {
  language: string;
  /** Texts that respondents see. */
  places: number;
  missing: number;
  /** Texts whose source has changed since. */
  outdated: number;
  /** The first of each, in the survey's order. */
  missingPlaces: string[];
  outdatedPlaces: string[];
}

/**
 * Compares translations with the survey's texts, listing at most `most` places for each. Yields after each question.
 */
export function* translationStatus(
  survey: TranslatedSurvey,
  languages: readonly string[],
  digest: DigestText,
  most: number,
): Generator<void, TranslationStatus[]> {
  const all = languages.map((language): TranslationStatus => {
    return { language, places: 0, missing: 0, outdated: 0, missingPlaces: [], outdatedPlaces: [] };
  });
  for (const { texts, translations, keyOf } of textOwners(survey)) {
    const own = all.map(({ language }) => textsIn(translations, language));
    for (const { place, text, retired } of texts) {
      if (retired) continue;
      const source = digest(text);
      for (const [at, status] of all.entries()) {
        const given = own[at]![place];
        status.places += 1;
        if (given === undefined) note(status, "missing", keyOf(place), most);
        else if (given.source !== source) note(status, "outdated", keyOf(place), most);
      }
    }
    yield;
  }
  return all;
}

function note(status: TranslationStatus, what: "missing" | "outdated", place: string, most: number): void {
  status[what] += 1;
  if (status[what] <= most) status[`${what}Places`].push(place);
}

const suggestions = {
  translation_missing: "Translate it; until then respondents see it in the survey's language.",
  translation_outdated: "Look at it: the text that it translates has changed.",
} as const;

/** Returns a warning for each missing or outdated translation. Warnings do not prevent a publication. */
export function translationWarnings(statuses: readonly TranslationStatus[]) {
  return statuses.flatMap(({ language, missingPlaces, outdatedPlaces }) => [
    ...missingPlaces.map((path) => warning("translation_missing", path, `has no translation into ${language}`)),
    ...outdatedPlaces.map((path) =>
      warning("translation_outdated", path, `has an outdated translation into ${language}`),
    ),
  ]);
}

const warning = (code: keyof typeof suggestions, path: string, message: string) => {
  return { path, code, message, suggestion: suggestions[code] };
};
