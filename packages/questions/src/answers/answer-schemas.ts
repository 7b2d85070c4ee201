import { Type, type TProperties, type TSchema } from "typebox";
import { questionTypes } from "../catalogue.ts";
import { oneOfTypes } from "../one-of-types.ts";
import type { QuestionType } from "../question-type.ts";
import { titleOf } from "../type-titles.ts";

const answerable = questionTypes.filter((type) => type.answerable);

/** The value of an answer to a question of the type, as answers hold it (contract 6.7). */
export const answerValueSchema = ({ typeName, valueSchema }: QuestionType): TSchema => ({
  ...valueSchema,
  title: `${titleOf(typeName)}Value`,
});

/** The submitted value; null retracts an answer. */
export const answerValueInputSchema = ({ typeName, valueSchema }: QuestionType): TSchema =>
  Type.Union([valueSchema, Type.Null()], { title: `${titleOf(typeName)}ValueInput` });

/** An answer by its `type`, for API documents. `fieldsOf` returns its fields, the value among them. */
export const answerByType = (title: string, fieldsOf: (type: QuestionType) => TProperties, options: object = {}) =>
  oneOfTypes(title, "type", answerable, (type, name) =>
    Type.Object({ ...fieldsOf(type), type: Type.Literal(type.typeName) }, { ...options, title: title + name }),
  );
