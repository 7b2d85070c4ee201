import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import type { Choice, Column, Page, Question, SurveyDefinition, TranslatedTexts } from "../definition.ts";
import { finish } from "../finish.ts";
import { listNames } from "../list-input.ts";
import { textsOfQuestion, type PlacedText } from "./text-places.ts";

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
  if (!texts) return source;
  const translated: Question = {
    ...source,
    text: source.text && (textAt(texts, "text") ?? source.text),
    helpText: source.helpText && (textAt(texts, "helpText") ?? source.helpText),
    typeSettings: translatedSettings(source.typeSettings, texts, textsOfQuestion(source)),
  };
  for (const name of listNames) {
    const list = source[name];
    if (list) translated[name] = translatedEntries(name, list, texts);
  }
  return translated;
}

/** Replaces the texts of `sources` whose places begin with `settings.`. */
export function translatedSettings<Settings extends object>(
  settings: Settings,
  texts: TranslatedTexts,
  sources: readonly PlacedText[],
): Settings {
  let translated = settings as JsonObject;
  for (const { place } of sources) {
    const [part, ...path] = place.split(".");
    const text = part === "settings" ? textAt(texts, place) : undefined;
    if (text !== undefined) translated = withText(translated, path, text);
  }
  return translated as Settings;
}

function withText(value: JsonObject, [key = "", ...rest]: readonly string[], text: string): JsonObject {
  if (rest.length === 0) return { ...value, [key]: text };
  const inner = ownValue(value, key);
  return { ...value, [key]: withText(isJsonObject(inner) ? inner : {}, rest, text) };
}

function translatedEntries<Entry extends Choice & Partial<Column>>(
  list: string,
  entries: readonly Entry[],
  texts: TranslatedTexts,
): Entry[] {
  return entries.map((entry) => ({
    ...entry,
    text: textAt(texts, `${list}.${entry.id}`) ?? entry.text,
    ...(entry.options && { options: translatedEntries("options", entry.options, texts) }),
  }));
}

const textsIn = (translations: Question["translations"], language: string) =>
  translations && (ownValue(translations, language) as TranslatedTexts | undefined);

/** A text at a place, if it is translated. */
export const textAt = (texts: TranslatedTexts, place: string) =>
  (ownValue(texts, place) as TranslatedTexts[string] | undefined)?.text;
