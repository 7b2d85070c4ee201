import { Type } from "typebox";
import { logicFields } from "../condition-schemas.ts";
import { choiceSchema, columnSchema } from "../elements/element-view.ts";
import { id, named, nullableText, questionTypeName } from "../schemas.ts";

export const addedQuestionSchema = named("AddedQuestion", {
  elementId: id,
  questionId: id,
  name: nullableText,
  pageId: id,
  type: Type.Integer(),
  typeName: questionTypeName,
  text: Type.String({ description: "as shown to respondents" }),
  choices: Type.Optional(Type.Array(choiceSchema)),
  rows: Type.Optional(Type.Array(choiceSchema)),
  columns: Type.Optional(Type.Array(columnSchema)),
  ...logicFields,
});

/** `questionsJson` is empty in a replay of a response that an older version stored. */
export function addedQuestionsJson({ questionsJson }: { questionsJson: string }): string {
  return questionsJson || "[]";
}
