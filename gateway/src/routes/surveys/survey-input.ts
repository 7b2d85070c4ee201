import { questionInputSchema, settingsPatchSchema } from "@canvass/questions";
import { Type } from "typebox";
import { closed, idParam } from "../schemas.ts";

export const surveyParams = Type.Object({ surveyId: idParam("id of a survey") });

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.String(),
  language: Type.String({ description: "language tag (BCP 47)", examples: ["en", "pt-BR"] }),
  type: Type.Integer({ minimum: 1, maximum: 4, description: "1 survey, 2 form, 3 poll, 4 evaluation" }),
  settings: settingsPatchSchema,
};
const questions = Type.Array(questionInputSchema, { minItems: 1 });

/** Documents what the survey service takes; it judges the body itself, so that all faults come in one answer. */
export const createSurveyBody = closed({
  name: fields.name,
  description: Type.Optional(fields.description),
  language: Type.Optional(fields.language),
  type: Type.Optional(fields.type),
  settings: Type.Optional(fields.settings),
  questions: Type.Optional(questions),
});

/** Documents what the survey service takes; it judges the body itself. */
export const updateSurveyBody = closed({
  name: Type.Optional(fields.name),
  description: Type.Optional(fields.description),
  language: Type.Optional(fields.language),
  type: Type.Optional(fields.type),
  active: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1, description: "cannot be changed here: only the present value is taken" }),
  ),
  settings: Type.Optional(fields.settings),
});

/** Documents what the survey service takes; it judges the body itself. */
export const addQuestionsBody = closed({
  questions,
  pageId: Type.Optional(Type.String({ description: "the page to add to; default: the last one" })),
});

export const publishSurveyBody = closed({
  note: Type.Optional(Type.String({ maxLength: 1_000, description: "what this version is about" })),
  acknowledge: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 1_000,
      description: "`changeId`s of the changes you have seen and accept",
    }),
  ),
});
