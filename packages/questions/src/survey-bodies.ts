import { activeField, closed, lookupId, surveyFields } from "@canvass/inputs";
import { Type } from "typebox";
import { fieldsInput } from "./fields/hidden-field.ts";
import { quotasBody } from "./quotas/quota-input.ts";
import { questionsSchema } from "./question-input-schema.ts";
import { settingsPatchSchema } from "./settings-patch.ts";

/** `checkShape` skips settings and questions, because `checkSettingsPatch` and `buildingQuestions` validate them. */
const catalogued = (schema: object) => Type.Unsafe<unknown>({ ...schema, "x-judged-by": "catalogue" });

const settings = Type.Optional(catalogued(settingsPatchSchema));

type Table = typeof surveyFields;
type FieldSchemas = { [Name in keyof Table]: Table[Name]["schema"] };
const fields = Object.fromEntries(
  Object.entries(surveyFields).map(([name, { schema }]) => [name, schema]),
) as unknown as FieldSchemas;
const optionalFields = Type.Partial(Type.Object(fields)).properties;

/** An empty list of questions is valid. */
export const createSurveyBody = closed({
  ...optionalFields,
  name: fields.name,
  settings,
  fields: Type.Optional(fieldsInput),
  quotas: Type.Optional(quotasBody.properties.quotas),
  questions: Type.Optional(catalogued({ ...questionsSchema, minItems: 0 })),
});

export const updateSurveyBody = closed(
  { ...optionalFields, active: Type.Optional(activeField), settings },
  { minProperties: 1, description: "at least one change; `settings` alone needs at least one setting" },
);

export const addQuestionsBody = closed({
  questions: catalogued(questionsSchema),
  pageId: Type.Optional(lookupId("a page", "the page to add to; default: the last one")),
});
