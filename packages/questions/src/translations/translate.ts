import { ownValue } from "@canvass/values";
import type { Page, Question, SurveyDefinition, TranslatedTexts } from "../definition.ts";
import { finish } from "../finish.ts";
import type { StoredQuota } from "../quotas/quota.ts";
import { replaceSettings, replaceTexts } from "./replace-texts.ts";
import { messagePlace, type PlacedText } from "./text-places.ts";

/** Returns the definition in a language, without translations. Untranslated texts are in the survey's language. */
export function translatedDefinition(definition: SurveyDefinition, language: string): SurveyDefinition {
  return finish(translatingDefinition(definition, language));
}

/** Like `translatedDefinition`, but yields after each question. Questions without translations are the same objects. */
export function* translatingDefinition(
  { pages, quotas, ...lists }: SurveyDefinition,
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
  return { ...lists, ...(quotas && { quotas: translatedQuotas(quotas, language) }), pages: translated };
}

export function translatedPage({ translations, ...page }: Page, language: string): Page {
  const texts = textsIn(translations, language);
  return texts && page.title !== null ? { ...page, title: textAt(texts, "title") ?? page.title } : page;
}

export function translatedQuestion(question: Question, language: string): Question {
  if (!question.translations) return question;
  const { translations, ...source } = question;
  const texts = textsIn(translations, language);
  if (!texts) return source;
  const translated = replaceTexts(source, (place, text) => textAt(texts, place) ?? text);
  const { logic } = source;
  if (!logic?.constraints) return translated;
  const constraints = logic.constraints.map((each, at) => {
    return { ...each, message: textAt(texts, messagePlace(each, at)) ?? each.message };
  });
  return { ...translated, logic: { ...logic, constraints } };
}

/** Returns quotas with messages in a language, without translations. */
export function translatedQuotas(quotas: readonly StoredQuota[], language: string): StoredQuota[] {
  return quotas.map(({ translations, ...quota }) => {
    const texts = quota.message === null ? undefined : textsIn(translations, language);
    return texts ? { ...quota, message: textAt(texts, "message") ?? quota.message } : quota;
  });
}

/** Translates the texts of `sources` whose paths start with `settings.`. */
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
