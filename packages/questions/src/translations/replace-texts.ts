import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import type { Choice, Column, Question } from "../definition.ts";
import { listNames } from "../list-names.ts";
import { questionTexts, type QuestionText } from "./question-texts.ts";

/** Returns the text at a place, for the text that is there. */
export type ReplaceText = (place: string, text: string) => string;

/** Replaces the texts of a question that respondents see, but for its translations and the messages of its logic. */
export function replaceTexts(source: Question, replace: ReplaceText): Question {
  const replaced: Question = {
    ...source,
    text: source.text && replace("text", source.text),
    helpText: source.helpText && replace("helpText", source.helpText),
    typeSettings: replaceSettings(source.typeSettings, questionTexts(source), replace),
  };
  for (const name of listNames) {
    const list = source[name];
    if (list) replaced[name] = replaceEntries(name, list, replace);
  }
  return replaced;
}

/** Replaces the texts of `sources` whose paths start with `settings.`. */
export function replaceSettings<Settings extends object>(
  settings: Settings,
  sources: readonly Pick<QuestionText, "place" | "text">[],
  replace: ReplaceText,
): Settings {
  let replaced = settings as JsonObject;
  for (const { place, text: source } of sources) {
    const [part, ...path] = place.split(".");
    const text = part === "settings" ? replace(place, source) : source;
    if (text !== source) replaced = withText(replaced, path, text);
  }
  return replaced as Settings;
}

function withText(value: JsonObject, [key = "", ...rest]: readonly string[], text: string): JsonObject {
  if (rest.length === 0) return { ...value, [key]: text };
  const inner = ownValue(value, key);
  return { ...value, [key]: withText(isJsonObject(inner) ? inner : {}, rest, text) };
}

function replaceEntries<Entry extends Choice & Partial<Column>>(
  list: string,
  entries: readonly Entry[],
  replace: ReplaceText,
): Entry[] {
  return entries.map((entry) => ({
    ...entry,
    text: replace(`${list}.${entry.id}`, entry.text),
    ...(entry.options && { options: replaceEntries("options", entry.options, replace) }),
  }));
}
