import { Type, type TObject, type TSchema } from "typebox";
import { questionTypes } from "./catalogue.ts";
import { listSchema } from "./list-input.ts";
import { helpText, mostQuestions, pageTitle, questionText } from "./new-questions.ts";
import type { QuestionType } from "./question-type.ts";
import { weightLimits } from "./weight.ts";

const matrixSize = `of a matrix; it has at most ${weightLimits.matrixCells} cells (rows x columns x options)`;

/** Shape of a question in a request, for API documents: one variant per type. `buildQuestions` validates it. */
export const questionInputSchema = Type.Unsafe<Record<string, unknown>>(Type.Union(questionTypes.map(variant)));

export const questionsSchema = Type.Array(questionInputSchema, { minItems: 1, maxItems: mostQuestions });

function variant(type: QuestionType): TSchema {
  const { typeName, number, summary, settings, shorthands, answerable } = type;
  const required = answerable ? Type.Boolean() : Type.Literal(false);
  const shorthandFields = Object.entries(shorthands).map(([field, key]) => [field, settings.properties[key]!] as const);
  return Type.Object(
    {
      type: Type.Union([Type.Literal(typeName), Type.Literal(number)]),
      text: questionText,
      ...optional({
        helpText,
        pageTitle,
        required,
        ...Object.fromEntries(shorthandFields),
        ...lists(type),
        typeSettings: partial(settings),
        responseValidation: partial(Type.Object({ required })),
      }),
    },
    { additionalProperties: false, title: `A ${typeName} question`, description: summary },
  );
}

function lists({ lists: { choices, rows, columns } }: QuestionType): Record<string, TSchema> {
  return {
    ...(choices && { choices: listSchema(choices, false) }),
    ...(rows && { rows: { ...listSchema(rows, false), description: matrixSize } }),
    ...(columns && { columns: { ...listSchema(columns, false), description: matrixSize } }),
  };
}

function partial({ properties }: TObject): TSchema {
  const nested = Object.entries(properties).map(([key, schema]) => [key, isObject(schema) ? partial(schema) : schema]);
  return Type.Object(optional(Object.fromEntries(nested) as Record<string, TSchema>), { additionalProperties: false });
}

function isObject(schema: TSchema): schema is TObject {
  return "properties" in schema;
}

function optional(schemas: Record<string, TSchema>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, Type.Optional(schema)]));
}
