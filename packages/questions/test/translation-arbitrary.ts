import * as fc from "fast-check";
import type { Page, Question, SurveyDefinition, Translations } from "../src/definition.ts";
import type { PlacedText } from "../src/translations/text-places.ts";
import { textsOfPage, textsOfQuestion } from "../src/translations/text-places.ts";

const languages = ["de", "pt-BR", "ar"];

/** Gives about half of a survey's texts translations into some languages. */
export function translatedSurveys(
  surveys: fc.Arbitrary<SurveyDefinition>,
  digest: (text: string) => string,
): fc.Arbitrary<SurveyDefinition> {
  return fc.tuple(surveys, fc.infiniteStream(fc.nat(5))).map(([{ pages, ...lists }, picks]) => {
    const pick = () => picks.next().value as number;
    const translate = <Owner extends Page | Question>(owner: Owner, texts: readonly PlacedText[]): Owner => {
      const translations: Translations = {};
      for (const { place, text, most } of texts) {
        for (const language of languages) {
          if (pick() > 2) continue;
          const given = `${language} ${pick()} ${text}`.slice(0, most);
          translations[language] = { ...translations[language], [place]: { text: given, source: digest(text) } };
        }
      }
      return Object.keys(translations).length > 0 ? { ...owner, translations } : owner;
    };
    return {
      ...lists,
      pages: pages.map((page) => ({
        ...translate(page, textsOfPage(page)),
        elements: page.elements.map((question) => translate(question, textsOfQuestion(question))),
      })),
    };
  });
}
