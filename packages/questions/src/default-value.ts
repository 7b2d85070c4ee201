import { type Violation, violationsBelow } from "@canvass/inputs";
import { choicesAndOtherById } from "./chosen-choices.ts";
import { withoutRetired } from "./choice-list.ts";
import type { Question } from "./definition.ts";
import type { QuestionType } from "./question-type.ts";

/** Answers that are one text or choices may have a default (contract 6.19). */
export const takesDefault = ({ answerable, pipedText }: QuestionType): boolean => answerable && pipedText !== undefined;

/** Returns the violations of a question's default answer, at `defaultValue`. */
export function defaultViolations(question: Question, type: QuestionType): Violation[] {
  const value = question.logic?.defaultValue;
  if (value === undefined) return [];
  if (!takesDefault(type)) return [{ path: "defaultValue", message: `is not supported by ${type.typeName}` }];
  return violationsBelow("defaultValue", type.checkValue(question, value));
}

/** Writes ids of choices where a default names them by code or text. Unknown names stay. */
export function withDefaultIds(question: Question): Question {
  const { logic } = question;
  if (logic?.defaultValue === undefined || !question.choices) return question;
  return { ...question, logic: { ...logic, defaultValue: resolveChoiceNames(question, logic.defaultValue) } };
}

/** Replaces codes and texts of choices by their ids. An id counts before a code, a code before a text. */
export function resolveChoiceNames(question: Question, value: unknown): unknown {
  const choices = withoutRetired([...choicesAndOtherById(question).values()]);
  const idOf = (name: string) =>
    [
      choices.find(({ id }) => id === name),
      choices.find(({ code }) => code === name),
      choices.find(({ text }) => text === name),
    ].find((choice) => choice !== undefined)?.id ?? name;
  if (Array.isArray(value)) return value.map((each: unknown) => (typeof each === "string" ? idOf(each) : each));
  return typeof value === "string" ? idOf(value) : value;
}

/** Without a default that an edit made invalid. */
export function withFittingDefault(question: Question, type: QuestionType): Question {
  if (defaultViolations(question, type).length === 0) return question;
  const { logic, ...rest } = question;
  const { defaultValue: _, ...kept } = logic!;
  return Object.keys(kept).length > 0 ? { ...rest, logic: kept } : rest;
}
