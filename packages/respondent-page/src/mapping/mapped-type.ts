import type { PublicElement } from "@canvass/questions";
import type { Question } from "survey-core";
import type { Words } from "../words/words.ts";

/** An element of a SurveyJS page. Its keys are those of `allowed-keys.ts`. */
export type ElementJson = { type: string; name: string } & Record<string, unknown>;

/** What SurveyJS holds: values by the names of its elements, texts of Other by `<name>-Comment`. */
export type Data = Record<string, unknown>;

/**
 * How SurveyJS draws a question type, and what stands there for an answer. `name` is the question's answer key; a type
 * that needs several elements names them `<name>~<part>`.
 */
export type MappedType = {
  draw: (question: PublicElement, name: string, words: Words) => ElementJson;
  toData: (value: unknown, name: string, question: PublicElement) => Data;
  /** The answer; undefined when there is none. */
  toValue: (data: Data, name: string, question: PublicElement) => unknown;
  /** Follows a changed answer where SurveyJS needs a hand. */
  follow?: (drawn: Question, data: Data, question: PublicElement, words: Words) => void;
};

/** For types whose answers look alike on both sides. */
export const sameValue = {
  toData: (value: unknown, name: string): Data => ({ [name]: value }),
  toValue: (data: Data, name: string): unknown => data[name],
};

/** What all questions have. A question without text shows no title. */
export function heading({ text, helpText, required }: PublicElement, name: string) {
  return {
    name,
    title: text ?? "",
    titleLocation: text ? "default" : "hidden",
    description: helpText ?? "",
    isRequired: required,
  };
}

/** A part's name: `<name>~<part>`. */
export const partName = (name: string, part: string): string => `${name}~${part}`;

/** The answer key behind the name of a value: of an element, a part or the text of Other. */
export const keyOfName = (name: string): string => name.replace(/(?:~.*|-Comment)$/s, "");

/** Entries as SurveyJS takes them. */
export const items = (list: readonly { id: string; text: string }[] = []) =>
  list.map(({ id, text }) => ({ value: id, text }));
