import type { AddedQuestion, Choice, Column } from "@canvass/proto/survey";
import { Type } from "typebox";
import { id, named } from "../schemas.ts";

const choiceSchema = named("Choice", {
  id,
  text: Type.String(),
  imageUrl: Type.Optional(Type.String({ description: "image choices only" })),
});

const columnSchema = named("Column", {
  id,
  text: Type.String(),
  options: Type.Optional(Type.Array(choiceSchema, { description: "dropdown matrices only" })),
});

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

function choiceView({ id, text, imageUrl }: Choice) {
  return imageUrl === "" ? { id, text } : { id, text, imageUrl };
}

function columnView({ id, text, options }: Column) {
  return options.length === 0 ? { id, text } : { id, text, options: options.map(choiceView) };
}
