import type { Answer } from "@canvass/proto/response";
import { answerByType, answerValueSchema, type QuestionType } from "@canvass/questions";
import { Type } from "typebox";
import { dateTime, id, named, nullableText, questionTypeName } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";

/** The OpenAPI document shows the value's schema per question type. */
export const answerValue = Type.Unknown({ description: "its shape depends on the question's type" });

const answerFields = {
  id,
  surveyId: id,
  respondentId: id,
  elementId: { ...id, description: "the question's id in the survey's element list" },
  name: Type.Optional(
    Type.String({ description: "name of the element in the version that the respondent answers; absent without one" }),
  ),
  itemId: { ...nullableText, description: "on a page that repeats for choices: the id of the choice; otherwise null" },
  questionId: id,
  type: questionTypeName,
  value: answerValue,
  valueLabels: Type.Optional(
    Type.Unsafe<object>({
      type: "object",
      additionalProperties: true,
      description:
        "of dropdown_matrix only: the value with the options' labels, as the respondent saw them, instead of their ids",
    }),
  ),
  versionNumber: Type.Integer({ description: "of the version the respondent answers" }),
  isTest: Type.Boolean({ description: "true if submitted with a test token: results exclude it" }),
  offPath: Type.Optional(
    Type.Literal(true, {
      description: "the question was no longer on the respondent's path at completion: results exclude it",
    }),
  ),
  submittedAt: { ...dateTime, description: "in a survey with full anonymity: the day, at 00:00Z" },
  meta: Type.Unsafe<object | null>({
    type: ["object", "null"],
    additionalProperties: true,
    description: "metadata sent with the answer",
  }),
};

const example = {
  id: "01h8x4v2c6n8b5tr",
  surveyId: "01h8x3k9q2m4a7zp",
  respondentId: "01h8x4v2c6n8b5tq",
  elementId: "01h8x3k9q2w7d1ej",
  name: "lunch",
  itemId: null,
  questionId: "01h8x3k9q2w7d1ek",
  type: "dropdown_matrix",
  value: { "01h8x3k9q2r0w0aa": { "01h8x3k9q2c0l0bb": "01h8x3k9q20p7cc1" } },
  valueLabels: { "01h8x3k9q2r0w0aa": { "01h8x3k9q2c0l0bb": "Soup" } },
  versionNumber: 3,
  isTest: false,
  submittedAt: "2026-03-01T10:15:30.250Z",
  meta: null,
};

/** An answer in lists (contract 7.9). */
export const answerSchema = named("Answer", answerFields, { "x-shown-as": "Answer" });
export const answerByTypeSchema = { ...answerByType("Answer", fieldsOf), examples: [example] };

const cursor = Type.String({ description: "send it as `cursor` to continue after this answer" });

export const answerRowSchema = named("AnswerRow", { ...answerFields, cursor }, { "x-shown-as": "AnswerRow" });
export const answerRowByTypeSchema = {
  ...answerByType("AnswerRow", (type) => ({ ...fieldsOf(type), cursor })),
  examples: [{ ...example, cursor: "uJ3k0nVt2m5c8x1zQ7w9aVsxNzYwMDAwMDAwMDAwLCIwMWg4Il0" }],
};

function fieldsOf(type: QuestionType) {
  const { valueLabels, ...others } = answerFields;
  return { ...others, value: answerValueSchema(type), ...(type.valueLabels && { valueLabels }) };
}

/** Returns an answer as JSON text, because its value is JSON already. */
export function answerText(surveyId: string, answer: Answer): string {
  const fields = JSON.stringify({
    id: answer.answerId,
    surveyId,
    respondentId: answer.respondentId,
    elementId: answer.elementId,
    ...(answer.name && { name: answer.name }),
    itemId: answer.itemId || null,
    questionId: answer.questionId,
    type: answer.typeName,
    versionNumber: answer.versionNumber,
    isTest: answer.isTest,
    ...(answer.offPath && { offPath: answer.offPath }),
    submittedAt: isoTime(answer.submittedAt),
    ...(answer.cursor && { cursor: answer.cursor }),
  });
  const labels = answer.valueLabelsJson && `,"valueLabels":${answer.valueLabelsJson}`;
  const texts = `"value":${answer.valueJson}${labels},"meta":${answer.metaJson || "null"}`;
  return `${fields.slice(0, -1)},${texts}}`;
}
