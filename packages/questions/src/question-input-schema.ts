import { Type, type TObject, type TSchema } from "typebox";
import { questionTypes } from "./catalogue.ts";
import { discriminatorOf, titleOf } from "./type-titles.ts";
import { listSchema } from "./list-input.ts";
import { helpText, mostQuestions, pageTitle, questionText } from "./new-questions.ts";
import type { QuestionType } from "./question-type.ts";
import { weightLimits } from "./weight.ts";

const matrixSize = `of a matrix; it has at most ${weightLimits.matrixCells} cells (rows x columns x options)`;

const variants = questionTypes.map((type) => ({ typeName: type.typeName, schema: variant(type) }));

/** Shape of a question in a request, for API documents: one variant per type. `buildQuestions` validates it. */
export const questionInputSchema = Type.Unsafe<Record<string, unknown>>({
  title: "Question",
  oneOf: variants.map(({ schema }) => schema),
  discriminator: discriminatorOf("type", variants),
});

export const questionsSchema = Type.Array(questionInputSchema, { minItems: 1, maxItems: mostQuestions });

/** Callers may give the number of the type, too. Documents show its name only. */
function variant(type: QuestionType): TSchema {
  const { typeName, summary, settings, shorthands, answerable } = type;
  const name = titleOf(typeName);
  const required = answerable ? Type.Boolean() : Type.Literal(false);
  const shorthandFields = Object.entries(shorthands).map(([field, key]) => [field, settings.properties[key]!] as const);
  return Type.Object(
    {
      type: Type.Literal(typeName),
      text: questionText,
      ...optional({
        helpText,
        pageTitle,
        required,
        ...Object.fromEntries(shorthandFields),
        ...lists(type),
        typeSettings: partialSettings(settings, `${name}Settings`),
        responseValidation: partialSettings(
          Type.Object({ required }),
          answerable ? "QuestionValidation" : `${name}Validation`,
        ),
      }),
    },
    { additionalProperties: false, title: `${name}Question`, description: summary },
  );
}

function lists({ lists: { choices, rows, columns } }: QuestionType): Record<string, TSchema> {
  return {
    ...(choices && { choices: listSchema(choices, false) }),
    ...(rows && { rows: { ...listSchema(rows, false), description: matrixSize } }),
    ...(columns && { columns: { ...listSchema(columns, false), description: matrixSize } }),
  };
}

export function partialSettings(schema: TObject, title: string): TSchema {
  const nested = Object.entries(schema.properties).map(([key, property]) => {
    if (!isObject(property)) return [key, property] as const;
    const { title: own } = property as { title?: string };
    return [
      key,
      own === undefined
        ? partialSettings(property, title + titleOf(key))
        : partialSettings(withoutDefaults(property), own),
    ] as const;
  });
  return Type.Object(optional(Object.fromEntries(nested)), { additionalProperties: false, title });
}

/** Of parts that share a schema, each has other defaults. */
function withoutDefaults({ properties }: TObject): TObject {
  const plain = Object.entries(properties).map(
    ([key, property]) => [key, { ...property, default: undefined }] as const,
  );
  return Type.Object(Object.fromEntries(plain));
}

function isObject(schema: TSchema): schema is TObject {
  return "properties" in schema;
}

function optional(schemas: Record<string, TSchema>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, Type.Optional(schema)]));
}
