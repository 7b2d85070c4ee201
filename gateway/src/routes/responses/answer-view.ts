import type { Answer } from "@canvass/proto/response";
import { answerByType, answerValueSchema, type QuestionType } from "@canvass/questions";
import { Type } from "typebox";
import { dateTime, id, named, nullableText, questionTypeName } from "../schemas.ts";
import { isoTime } from "../timestamps.ts";

/** By type in the document. */
export const answerValue = Type.Unknown({ description: "its shape belongs to the question's type" });

const answerFields = {
  id,
  surveyId: id,
  respondentId: id,
  elementId: { ...id, description: "the question's id in the survey's element list" },
  name: Type.Optional(Type.String({ description: "of the element, in the version it answers; absent without one" })),
  itemId: { ...nullableText, description: "on a page that repeats, the choice it repeats for" },
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
  isTest: Type.Boolean({ description: "given with a test token: in no result" }),
  offPath: Type.Optional(
    Type.Literal(true, {
      description: "what it answers was no longer reached when the respondent completed: results leave it out",
    }),
  ),
  submittedAt: { ...dateTime, description: "with full anonymity the day at 00:00Z" },
  meta: Type.Unsafe<object | null>({
    type: ["object", "null"],
    additionalProperties: true,
    description: "what was sent along",
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

const cursor = Type.String({ description: "send it as `cursor` to go on after this answer" });

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
  const { answerId, respondentId, elementId, name, itemId, questionId, typeName, versionNumber, isTest, offPath } =
    answer;
  const { valueJson, valueLabelsJson, submittedAt, metaJson, cursor: position } = answer;
  const fields = JSON.stringify({
    id: answerId,
    surveyId,
    respondentId,
    elementId,
    ...(name && { name }),
    itemId: itemId || null,
    questionId,
    type: typeName,
    versionNumber,
    isTest,
    ...(offPath && { offPath }),
    submittedAt: isoTime(submittedAt),
    ...(position && { cursor: position }),
  });
  const labels = valueLabelsJson && `,"valueLabels":${valueLabelsJson}`;
  return `${fields.slice(0, -1)},"value":${valueJson}${labels},"meta":${metaJson || "null"}}`;
}
