import { findElement, parseAnswerKey, type SurveyDefinition } from "@canvass/questions";
import { answerIdAt, placeNumber } from "./answer-id.ts";
import type { CurrentAnswer } from "../respondents/respondent-state.ts";

export interface AnswerRecord {
  answerId: string;
  /** Its place in the definition, which orders answers of the same time. */
  number: number;
  elementId: string;
  /** The choice that its page repeats for, if any. */
  itemId: string | null;
  questionId: string;
  /** Of the element in the respondent's version. */
  name: string | undefined;
  typeName: string;
  value: unknown;
  valueLabels: unknown;
  meta: unknown;
  submittedAt: Date;
  offPath: boolean;
}

/** `definition` must be that of the respondent's version. */
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
      name: question.name,
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
