import type { AddedQuestion } from "@canvass/proto/survey";
import { Type } from "typebox";
import { choiceSchema, choiceView, columnSchema, columnView } from "../elements/element-view.ts";
import { id, named } from "../schemas.ts";

export const addedQuestionSchema = named("AddedQuestion", {
  elementId: id,
  questionId: id,
  pageId: id,
  type: Type.Integer(),
  typeName: Type.String(),
  text: Type.String({ description: "as respondents see it" }),
  choices: Type.Optional(Type.Array(choiceSchema)),
  rows: Type.Optional(Type.Array(choiceSchema)),
  columns: Type.Optional(Type.Array(columnSchema)),
});

export function addedQuestionView(question: AddedQuestion) {
  const { elementId, questionId, pageId, type, typeName, text, choices, rows, columns } = question;
  return {
    elementId,
    questionId,
    pageId,
    type,
    typeName,
    text,
    ...(choices.length > 0 && { choices: choices.map(choiceView) }),
    ...(rows.length > 0 && { rows: rows.map(choiceView) }),
    ...(columns.length > 0 && { columns: columns.map(columnView) }),
  };
}
