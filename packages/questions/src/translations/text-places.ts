import { isBlank } from "@canvass/values";
import type { TSchema } from "typebox";
import { questionTypeOf } from "../catalogue.ts";
import { constraintMessage, numberOf } from "../constraint-numbers.ts";
import type { Constraint, Page, Question } from "../definition.ts";
import { entryText } from "../list-input.ts";
import { helpText, pageTitle, questionText } from "../new-questions.ts";
import type { QuestionType } from "../question-type.ts";
import { quotaLimits, type Quota } from "../quotas/quota.ts";
import { questionTexts, type QuestionText } from "./question-texts.ts";

/** A text that respondents see, at its place within its page, question, quota or survey. */
export interface PlacedText extends QuestionText {
  /** The most characters of the text, in any language. */
  most: number;
}

/** A text without visible characters needs no translation. */
export function placed(place: string, text: unknown, most: number, retired = false): PlacedText[] {
  return typeof text === "string" && !isBlank(text) ? [{ place, text, most, retired }] : [];
}

export const textsOfPage = ({ title }: Pick<Page, "title">): PlacedText[] =>
  placed("title", title, longestIn(pageTitle));

export function textsOfQuestion(question: Question): PlacedText[] {
  const type = questionTypeOf(question);
  const own = questionTexts(question).map((each) => ({ ...each, most: longestOf(type, each.place) }));
  return [...own, ...(question.logic?.constraints ?? []).flatMap(textOfConstraint)];
}

const textOfConstraint = (constraint: Constraint, at: number): PlacedText[] =>
  placed(messagePlace(constraint, at), constraint.message, longestIn(constraintMessage));

/** The place of the message of the constraint at a position of its list. */
export const messagePlace = (constraint: Constraint, at: number): string =>
  `constraints.${numberOf(constraint, at)}.message`;

export const textsOfQuota = ({ message }: Pick<Quota, "message">): PlacedText[] =>
  placed("message", message, quotaLimits.messageLength);

function longestOf({ settings }: QuestionType, place: string): number {
  if (place === "text") return longestIn(questionText);
  if (place === "helpText") return longestIn(helpText);
  return place.startsWith("settings.") ? longestAt(settings, place.slice("settings.".length)) : longestIn(entryText);
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
