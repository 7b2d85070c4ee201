import { Type, type TSchema } from "typebox";
import { questionTypes } from "./catalogue.ts";
import { logicInput } from "./conditions/condition-input.ts";
import { typeSettingsSchema } from "./element-schemas.ts";
import { takesDefault } from "./default-value.ts";
import { elementNameOrNull } from "./element-names.ts";
import { listSchema } from "./list-input.ts";
import { helpText, mostQuestions, pageTitle, questionText } from "./new-questions.ts";
import { oneOfTypes } from "./one-of-types.ts";
import { optional, partialSettings } from "./partial-settings.ts";
import type { QuestionType } from "./question-type.ts";
import { weightLimits } from "./weight.ts";

const matrixSize = `of a matrix; it has at most ${weightLimits.matrixCells} cells (rows x columns x options)`;

const { defaultValue, choicesFrom, ...conditions } = logicInput;

/** Shape of a question in a request, for API documents: one variant per type. `buildQuestions` validates it. */
export const questionInputSchema = oneOfTypes("Question", "type", questionTypes, variant);

export const questionsSchema = Type.Array(questionInputSchema, { minItems: 1, maxItems: mostQuestions });

/** Callers may give the number of the type, too. Documents show its name only. */
function variant(type: QuestionType, name: string): TSchema {
  const { typeName, summary, settings, shorthands, answerable, lists: taken } = type;
  const required = answerable ? Type.Boolean() : Type.Literal(false);
  const shorthandFields = Object.entries(shorthands).map(([field, key]) => [field, settings.properties[key]!] as const);
  return Type.Object(
    {
      type: Type.Literal(typeName),
      text: questionText,
      ...optional({
        name: elementNameOrNull,
        helpText,
        pageTitle,
        required,
        ...Object.fromEntries(shorthandFields),
        ...lists(type),
        typeSettings: typeSettingsSchema(type),
        responseValidation: partialSettings(
          Type.Object({ required }),
          answerable ? "QuestionValidation" : `${name}Validation`,
        ),
      }),
      ...(answerable ? conditions : { showIf: logicInput.showIf }),
      ...(takesDefault(type) && { defaultValue }),
      ...(taken.choices && { choicesFrom }),
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
