import type { PublicElement } from "@canvass/questions";
import type { Question } from "survey-core";
import { plainText } from "./formatted-texts.ts";
import type { Words } from "../words/words.ts";

/** An element of a SurveyJS page, with keys of `allowed-keys.ts` only. */
export type ElementJson = { type: string; name: string } & Record<string, unknown>;

/** SurveyJS's data: values by element name, the text of Other of pictures by `<name>-Comment`. */
export type Data = Record<string, unknown>;

/** `name` is the question's answer key. A type with several elements names them `<name>~<part>`. */
export type MappedType = {
  /** One press answers it, unless it takes several answers. */
  isOnePress?: true;
  /** Drawn with radio buttons, which browsers do not let users deselect. */
  hasRadios?: true;
  draw: (question: PublicElement, name: string, words: Words) => ElementJson;
  toData: (value: unknown, name: string, question: PublicElement) => Data;
  toValue: (data: Data, name: string, question: PublicElement) => unknown;
  /** Updates the drawn question after a change that SurveyJS does not handle. */
  follow?: (drawn: Question, data: Data, question: PublicElement, words: Words) => void;
};

export const sameValue = {
  toData: (value: unknown, name: string): Data => ({ [name]: value }),
  toValue: (data: Data, name: string): unknown => data[name],
};

export function heading(question: PublicElement, name: string) {
  const { text, helpText, required } = question;
  return {
    name,
    title: plainText(question, text ?? ""),
    titleLocation: text ? "default" : "hidden",
    description: plainText(question, helpText ?? ""),
    isRequired: required,
  };
}

export const partName = (name: string, part: string): string => `${name}~${part}`;

/** Returns the answer key for the name of an element, of its part or of the text of Other. */
export const keyOfName = (name: string): string => name.replace(/(?:~.*|-Comment)$/s, "");

export const items = (list: readonly { id: string; text: string }[] = []) =>
  list.map(({ id, text }) => ({ value: id, text }));
