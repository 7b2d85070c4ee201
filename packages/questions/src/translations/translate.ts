import { ownValue } from "@canvass/values";
import type { Page, Question, SurveyDefinition, TranslatedTexts } from "../definition.ts";
import { finish } from "../finish.ts";
import { replaceSettings, replaceTexts } from "./replace-texts.ts";
import type { PlacedText } from "./text-places.ts";

/** Returns the definition in a language, without translations. A text that has none stays in the survey's language. */
export function translatedDefinition(definition: SurveyDefinition, language: string): SurveyDefinition {
  return finish(translatingDefinition(definition, language));
}

/** Like `translatedDefinition`, but yields after each question. Parts without translations are the same objects. */
export function* translatingDefinition(
  { pages, ...lists }: SurveyDefinition,
  language: string,
): Generator<void, SurveyDefinition> {
  const translated: Page[] = [];
  for (const page of pages) {
    const elements: Question[] = [];
    for (const question of page.elements) {
      elements.push(translatedQuestion(question, language));
      yield;
    }
    translated.push({ ...translatedPage(page, language), elements });
  }
  return { ...lists, pages: translated };
}

export function translatedPage({ translations, ...page }: Page, language: string): Page {
  const texts = textsIn(translations, language);
  return texts && page.title !== null ? { ...page, title: textAt(texts, "title") ?? page.title } : page;
}

export function translatedQuestion(question: Question, language: string): Question {
  if (!question.translations) return question;
  const { translations, ...source } = question;
  const texts = textsIn(translations, language);
  return texts ? replaceTexts(source, (place, text) => textAt(texts, place) ?? text) : source;
}

/** Translates the texts of `sources` whose places begin with `settings.`. */
export function translatedSettings<Settings extends object>(
  settings: Settings,
  texts: TranslatedTexts,
  sources: readonly PlacedText[],
): Settings {
  return replaceSettings(settings, sources, (place, text) => textAt(texts, place) ?? text);
}

const textsIn = (translations: Question["translations"], language: string) =>
  translations && (ownValue(translations, language) as TranslatedTexts | undefined);

/** A text at a place, if it is translated. */
export const textAt = (texts: TranslatedTexts, place: string) =>
  (ownValue(texts, place) as TranslatedTexts[string] | undefined)?.text;
