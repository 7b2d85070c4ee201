import { findElement, parseAnswerKey, type SurveyDefinition } from "@canvass/questions";
import { answerIdAt, placeNumber } from "./answer-id.ts";
import type { StandingAnswer } from "../respondents/respondent-state.ts";

/** An answer as lists show it. */
export interface AnswerRecord {
  answerId: string;
  /** Its place among the respondent's answers: the order within a moment. */
  number: number;
  elementId: string;
  /** On a page that repeats, the choice it repeats for. */
  itemId: string | null;
  questionId: string;
  typeName: string;
  value: unknown;
  /** The value with labels instead of ids, where the type has such; else undefined. */
  valueLabels: unknown;
  meta: unknown;
  submittedAt: Date;
  /** As of a StandingAnswer. */
  offPath: boolean;
}

/** A respondent's answers by answer key, in the order of their places. `definition`: of the respondent's version. */
export function toAnswerRecords(
  respondentId: string,
  answers: Iterable<readonly [answerKey: string, StandingAnswer]>,
  definition: SurveyDefinition,
): AnswerRecord[] {
  const records: AnswerRecord[] = [];
  for (const [key, { value, meta, submittedAt, offPath = false }] of answers) {
    const { elementId, itemId } = parseAnswerKey(key);
    const number = placeNumber(definition, key);
    const { question, type } = findElement(definition, elementId)!;
    records.push({
      answerId: answerIdAt(respondentId, number),
      number,
      elementId,
      itemId,
      questionId: question.questionId,
      typeName: type.typeName,
      value,
      valueLabels: type.valueLabels?.(question, value),
      meta,
      submittedAt,
      offPath,
    });
  }
  return records.sort((a, b) => a.number - b.number);
}
