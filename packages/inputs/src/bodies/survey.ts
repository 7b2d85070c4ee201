import { Type, type Static, type TSchema } from "typebox";
import { closed, languageTag, limitedText, lookupId, visibleText } from "../fields.ts";

/** The survey's own fields, apart from settings and questions (contract 6.1). */
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

/** Defaults of a new survey. Fields without a default are required. */
export const surveyFieldDefaults = Object.fromEntries(
  Object.entries(surveyFields).flatMap(([name, field]) => ("default" in field ? [[name, field.default]] : [])),
) as Partial<SurveyFields>;

/** On the hot path an object literal is much faster than an object built from a list of names. */
export function surveyFieldsOf({ name, description, language, type }: SurveyFields): SurveyFields {
  return { name, description, language, type };
}

export function givenSurveyFields(body: object): Partial<SurveyFields> {
  const given = surveyFieldNames.filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(given.map((name) => [name, (body as Partial<SurveyFields>)[name]]));
}

/** A patch may only repeat the current value of `active`. */
export const activeField = Type.Integer({
  minimum: 0,
  maximum: 1,
  description: "cannot be changed here: only the current value is accepted",
  "x-expected": "0 or 1",
});

export const copySurveyBody = closed({
  name: Type.Optional(visibleText(200, { description: "name of the copy. Default: unchanged" })),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: "number of a published version. Default: the draft",
      "x-expected": "the number of a published version",
    }),
  ),
  includeTranslations: Type.Optional(
    Type.Boolean({ description: "false: copy only texts in the survey's own language. Default: true" }),
  ),
  workspaceId: Type.Optional(lookupId("a workspace", "the workspace that gets the copy. Default: the survey's own")),
});

export const publishSurveyBody = closed({
  note: Type.Optional(limitedText(1_000, { description: "a note about this version" })),
  acknowledge: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 10_000,
      description:
        "`changeId`s of the changes you have seen and accept, or the `changesId` that stands for all of them",
    }),
  ),
});
