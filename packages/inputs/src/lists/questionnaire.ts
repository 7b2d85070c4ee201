import { Type } from "typebox";
import { closed, word } from "../fields.ts";

/** Systems whose questionnaires are read (contract 6.25). */
export const questionnaireFormats = ["xlsform", "lss", "qsf", "surveyjs"] as const;
export type QuestionnaireFormat = (typeof questionnaireFormats)[number];

/** The largest file of a questionnaire, as sent and inflated. */
export const mostQuestionnaireBytes = 8 * 1_048_576;

export const importQuestionnaireQuery = closed({
  format: word(questionnaireFormats, {
    description: "xlsform: ODK, Kobo (xlsx); lss: LimeSurvey (XML); qsf: Qualtrics (JSON); surveyjs: SurveyJS (JSON)",
  }),
  dryRun: Type.Optional(
    Type.Boolean({
      description: "true: nothing is written; the response has the document and the report",
      "x-expected": "true or false",
    }),
  ),
});
