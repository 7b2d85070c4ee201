import { Type, type Static, type TSchema } from "typebox";
import { closed, languageTag, limitedText, visibleText } from "../fields.ts";

/** What a survey says about itself, beside its settings and questions (contract 6.1): the one table of these fields. */
export const surveyFields = {
  name: { schema: visibleText(200) },
  description: { schema: limitedText(5_000), default: "" },
  language: { schema: languageTag, default: "en" },
  type: {
    schema: Type.Integer({
      minimum: 1,
      maximum: 4,
      description: "1 survey, 2 form, 3 poll, 4 evaluation",
      "x-expected": "1 (survey), 2 (form), 3 (poll) or 4 (evaluation)",
    }),
    default: 1,
  },
} as const satisfies Record<string, { schema: TSchema; default?: unknown }>;

type Table = typeof surveyFields;
type SurveyFieldName = keyof Table;
export type SurveyFields = { -readonly [Name in SurveyFieldName]: Static<Table[Name]["schema"]> };

const surveyFieldNames = Object.keys(surveyFields) as SurveyFieldName[];

/** For what a new survey leaves out; fields without a default are required. */
export const surveyFieldDefaults = Object.fromEntries(
  Object.entries(surveyFields).flatMap(([name, field]) => ("default" in field ? [[name, field.default]] : [])),
) as Partial<SurveyFields>;

/** Of anything that holds a survey's fields, these and nothing else. */
export function surveyFieldsOf(survey: SurveyFields): SurveyFields {
  return givenSurveyFields(survey) as SurveyFields;
}

/** The fields that a body gives, as they are. */
export function givenSurveyFields(body: object): Partial<SurveyFields> {
  const given = surveyFieldNames.filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(given.map((name) => [name, (body as Partial<SurveyFields>)[name]]));
}

/** `active` is shown with a survey and cannot be changed by a patch: only the present value is taken. */
export const activeField = Type.Integer({
  minimum: 0,
  maximum: 1,
  description: "cannot be changed here: only the present value is taken",
  "x-expected": "0 or 1",
});

/** The body of `POST /surveys/{id}/publish`. */
export const publishSurveyBody = closed({
  note: Type.Optional(limitedText(1_000, { description: "what this version is about" })),
  acknowledge: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 1_000,
      description: "`changeId`s of the changes you have seen and accept",
    }),
  ),
});
