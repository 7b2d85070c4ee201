import { questionInputSchema, settingsPatchSchema, weightLimits } from "@canvass/questions";
import { Type } from "typebox";
import { closed, idParam, languageTag, reference, withExamples } from "../schemas.ts";

export const surveyParams = Type.Object({ surveyId: idParam("id of a survey") });

const { matrixCells, surveyCells, definitionBytes } = weightLimits;

/** How large surveys may be, in words. */
export const surveySize =
  `A matrix has at most ${matrixCells} cells (rows x columns, of a dropdown matrix x options), the matrices of a survey ` +
  `${surveyCells} together, and its definition ${definitionBytes} bytes of JSON.`;

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }),
  description: Type.String({ maxLength: 5_000 }),
  language: languageTag,
  type: Type.Integer({ minimum: 1, maximum: 4, description: "1 survey, 2 form, 3 poll, 4 evaluation" }),
  settings: settingsPatchSchema,
};
const questions = Type.Array(questionInputSchema, { maxItems: 1_000 });

/** Documents what the survey service takes; it judges the body itself, so that all faults come in one answer. */
export const createSurveyBody = withExamples(
  closed({
    name: fields.name,
    description: Type.Optional(fields.description),
    language: Type.Optional(fields.language),
    type: Type.Optional(fields.type),
    settings: Type.Optional(fields.settings),
    questions: Type.Optional(questions),
  }),
  {
    twoQuestions: {
      summary: "With two questions",
      value: {
        name: "Lunch",
        questions: [
          { type: "rating", text: "How was it?", required: true },
          { type: "multiple_choice", text: "Would you come again?", choices: ["Yes", "No"] },
        ],
      },
    },
    emptyDraft: {
      summary: "An empty draft with a setting",
      value: { name: "Mittagessen", language: "de", settings: { display: { progressStyle: "steps" } } },
    },
  },
);

/** Documents what the survey service takes; it judges the body itself. */
export const updateSurveyBody = withExamples(
  closed(
    {
      name: Type.Optional(fields.name),
      description: Type.Optional(fields.description),
      language: Type.Optional(fields.language),
      type: Type.Optional(fields.type),
      active: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1,
          description: "cannot be changed here: only the present value is taken",
        }),
      ),
      settings: Type.Optional(fields.settings),
    },
    { minProperties: 1, description: "changes something: `settings` alone has to name one" },
  ),
  {
    rename: { summary: "Another name", value: { name: "Lunch in spring", description: "About the new menu" } },
    changeSettings: {
      summary: "Two settings",
      value: { settings: { display: { progressStyle: "percentage" }, completion: { message: "Thank you!" } } },
    },
  },
);

/** Documents what the survey service takes; it judges the body itself. */
export const addQuestionsBody = withExamples(
  closed({
    questions: { ...questions, minItems: 1 },
    pageId: Type.Optional(reference("the page to add to; default: the last one")),
  }),
  {
    atTheEnd: {
      summary: "Two at the end, the second on a page of its own",
      value: {
        questions: [
          { type: "nps", text: "Recommendation", subject: "our canteen" },
          {
            type: "matrix",
            text: "What about …",
            pageTitle: "Details",
            rows: ["Food", "Room"],
            columns: ["Good", "Bad"],
          },
        ],
      },
    },
    onPage: {
      summary: "One on a given page",
      value: { pageId: "01h8x3k9q2m4a7zp", questions: [{ type: "long_text", text: "Anything else?" }] },
    },
  },
);

export const publishSurveyBody = withExamples(
  closed({
    note: Type.Optional(Type.String({ maxLength: 1_000, description: "what this version is about" })),
    acknowledge: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 1_000,
        description: "`changeId`s of the changes you have seen and accept",
      }),
    ),
  }),
  { note: { summary: "With a note", value: { note: "First version" } } },
);
