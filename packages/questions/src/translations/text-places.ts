import { isJsonObject, isBlank, ownValue } from "@canvass/values";
import type { TSchema } from "typebox";
import { questionTypeOf } from "../catalogue.ts";
import type { Choice, Column, Page, Question } from "../definition.ts";
import { entryText, listNames } from "../list-input.ts";
import { helpText, pageTitle, questionText } from "../new-questions.ts";
import { withDefaults } from "../type-settings.ts";

/** A text that respondents see, at its place within its page, question or survey. */
export interface PlacedText {
  place: string;
  text: string;
  /** The most characters of the text, in any language. */
  most: number;
  /** Of an entry that only results show. */
  retired: boolean;
}

/** A text without visible characters needs no translation. */
export function placed(place: string, text: unknown, most: number, retired = false): PlacedText[] {
  return typeof text === "string" && !isBlank(text) ? [{ place, text, most, retired }] : [];
}

export const textsOfPage = ({ title }: Pick<Page, "title">): PlacedText[] =>
  placed("title", title, longestIn(pageTitle));

/** Places are `text`, `helpText`, `settings.<path>`, and `choices`, `rows`, `columns` and `options`, each with an id. */
export function textsOfQuestion(question: Question): PlacedText[] {
  const type = questionTypeOf(question);
  const settings = withDefaults(type.settings, question.typeSettings) as Record<string, unknown>;
  return [
    ...placed("text", question.text, longestIn(questionText)),
    ...placed("helpText", question.helpText, longestIn(helpText)),
    ...(type.textSettings?.(settings) ?? []).flatMap((path) =>
      placed(`settings.${path}`, valueAt(settings, path), longestAt(type.settings, path)),
    ),
    ...listNames.flatMap((name) => textsOfEntries(name, question[name])),
  ];
}

function textsOfEntries(list: string, entries: readonly (Choice & Partial<Column>)[] = []): PlacedText[] {
  return entries.flatMap(({ id, text, retired, options }) => [
    ...placed(`${list}.${id}`, text, longestIn(entryText), retired),
    ...textsOfEntries(
      "options",
      options?.map((option) => ({ ...option, retired: retired || option.retired })),
    ),
  ]);
}

function valueAt(settings: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, key) => (isJsonObject(at) ? ownValue(at, key) : undefined), settings);
}

type Parts = { properties?: Record<string, TSchema>; patternProperties?: Record<string, TSchema> };

function longestAt(settings: TSchema, path: string): number {
  const schema = path.split(".").reduce<TSchema | undefined>((at, key) => {
    const { properties, patternProperties } = (at ?? {}) as Parts;
    return properties?.[key] ?? Object.values(patternProperties ?? {})[0];
  }, settings);
  return longestIn(schema ?? {});
}

/** The most characters that a schema takes. */
export function longestIn(schema: TSchema): number {
  const { maxLength, anyOf = [] } = schema as { maxLength?: number; anyOf?: TSchema[] };
  return maxLength ?? Math.max(0, ...anyOf.map(longestIn));
}
