import { findElement, parseAnswerKey, type SurveyDefinition } from "@canvass/questions";
import { answerIdAt, placeNumber } from "./answer-id.ts";
import type { CurrentAnswer } from "../respondents/respondent-state.ts";

export interface AnswerRecord {
  answerId: string;
  /** Its place among the respondent's answers, which orders answers of the same time. */
  number: number;
  elementId: string;
  /** The choice that its page repeats for, if any. */
  itemId: string | null;
  questionId: string;
  typeName: string;
  value: unknown;
  /** The value with labels instead of ids, if the type has labels. */
  valueLabels: unknown;
  meta: unknown;
  submittedAt: Date;
  /** As of a StandingAnswer. */
  offPath: boolean;
}

/** Returns a respondent's answers by place. `definition`: of the respondent's version. */
export function toAnswerRecords(
  respondentId: string,
  answers: Iterable<readonly [answerKey: string, CurrentAnswer]>,
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
