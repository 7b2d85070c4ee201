import { parseTemplate, hasBraces } from "./template.ts";
import { referenceOf } from "./reference.ts";
import type { Question, Translations } from "../definition.ts";
import { withLogic } from "../element-logic.ts";
import { questionTexts } from "../translations/question-texts.ts";
import { replaceTexts } from "../translations/replace-texts.ts";
import { perQuestion } from "../type-settings.ts";
import { listNames } from "../list-names.ts";

/** A text that may have placeholders. `path` is its place within its question. */
export interface PipedPlace {
  path: string;
  text: string;
  /** A message about the answer to the question itself. */
  isMessage: boolean;
}

/** The texts of a question with placeholders, also translated ones. */
export const templatesOf = perQuestion((question): readonly PipedPlace[] => {
  if (!hasBraces(JSON.stringify(question))) return [];
  const paths = entryPaths(question);
  const pathOf = (place: string) => paths.get(place) ?? place.replace(/^settings\./, "typeSettings.");
  const own = questionTexts(question).map(({ place, text }) => ({ path: pathOf(place), text, isMessage: false }));
  const messages = (question.logic?.constraints ?? []).map(({ message }, at) => ({
    path: `constraints.${at}.message`,
    text: message,
    isMessage: true,
  }));
  return [...own, ...messages, ...translatedPlaces(question.translations)].filter(({ text }) => hasBraces(text));
});

export const translatedPlaces = (translations: Translations = {}): PipedPlace[] =>
  Object.entries(translations).flatMap(([language, texts]) =>
    Object.entries(texts).map(([place, { text }]) => ({
      path: `translations.${language}.${place}`,
      text,
      isMessage: place.startsWith("constraints."),
    })),
  );

function entryPaths(question: Question): Map<string, string> {
  const paths = new Map<string, string>();
  for (const list of listNames) {
    for (const [at, { id, ...entry }] of (question[list] ?? []).entries()) {
      paths.set(`${list}.${id}`, `${list}.${at}.text`);
      const options = "options" in entry ? (entry.options ?? []) : [];
      for (const [index, option] of options.entries()) {
        paths.set(`options.${option.id}`, `${list}.${at}.options.${index}.text`);
      }
    }
  }
  return paths;
}

/** Replaces every text of a question, also translated ones and messages. One without placeholders stays the same object. */
export function mapTemplates(question: Question, map: (text: string) => string): Question {
  if (templatesOf(question).length === 0) return question;
  const { translations, logic, ...source } = question;
  const mapped = replaceTexts(source, (_place, text) => map(text));
  const constraints = logic?.constraints?.map((each) => ({ ...each, message: map(each.message) }));
  const whole = translations ? { ...mapped, translations: mapTranslations(translations, map) } : mapped;
  return logic ? withLogic(whole, { ...logic, ...(constraints && { constraints }) }) : whole;
}

export function mapTranslations(translations: Translations, map: (text: string) => string): Translations {
  return Object.fromEntries(
    Object.entries(translations).map(([language, texts]) => [
      language,
      Object.fromEntries(Object.entries(texts).map(([place, each]) => [place, { ...each, text: map(each.text) }])),
    ]),
  );
}

/** The ids of elements that a text names. */
export function pipedElementIds(text: string): string[] {
  if (!hasBraces(text)) return [];
  return parseTemplate(text).parts.flatMap((part) => {
    const reference = part.kind === "placeholder" ? referenceOf(part.name) : undefined;
    return reference?.kind === "element" ? reference.name : [];
  });
}
