import { isBlank, isJsonObject, ownValue } from "@canvass/values";
import { questionTypeOf } from "../catalogue.ts";
import type { Choice, Column, Question } from "../definition.ts";
import { listNames } from "../list-names.ts";
import { withDefaults } from "../type-settings.ts";

/** A text that respondents see, at its place within its question. */
export interface QuestionText {
  place: string;
  text: string;
  /** Of an entry that only results show. */
  retired: boolean;
}

/**
 * Places are `text`, `helpText`, `settings.<path>`, and `choices`, `rows`, `columns` and `options`, each with an id.
 */
export function questionTexts(question: Question): QuestionText[] {
  const type = questionTypeOf(question);
  const settings = withDefaults(type.settings, question.typeSettings) as Record<string, unknown>;
  return [
    ...textAt("text", question.text),
    ...textAt("helpText", question.helpText),
    ...(type.textSettings?.(settings) ?? []).flatMap((path) => textAt(`settings.${path}`, valueAt(settings, path))),
    ...listNames.flatMap((name) => textsOfEntries(name, question[name])),
  ];
}

/** A text without visible characters counts as no text. */
function textAt(place: string, text: unknown, retired = false): QuestionText[] {
  return typeof text === "string" && !isBlank(text) ? [{ place, text, retired }] : [];
}

function textsOfEntries(list: string, entries: readonly (Choice & Partial<Column>)[] = []): QuestionText[] {
  return entries.flatMap(({ id, text, retired, options }) => [
    ...textAt(`${list}.${id}`, text, retired),
    ...textsOfEntries(
      "options",
      options?.map((option) => ({ ...option, retired: retired || option.retired })),
    ),
  ]);
}

function valueAt(settings: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, key) => (isJsonObject(at) ? ownValue(at, key) : undefined), settings);
}
