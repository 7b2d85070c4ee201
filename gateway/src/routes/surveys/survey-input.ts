import { copySurveyBody, publishSurveyBody } from "@canvass/inputs";
import { addQuestionsBody, createSurveyBody, updateSurveyBody, weightLimits } from "@canvass/questions";
import { Type } from "typebox";
import { idParam, withExamples } from "../schemas.ts";

export const surveyParams = Type.Object({ surveyId: idParam("id of a survey") });

const { matrixCells, surveyCells, definitionBytes, surveyPages } = weightLimits;

export const surveySize =
  `A matrix has at most ${matrixCells} cells (rows x columns, of a dropdown matrix x options), the matrices of a survey ` +
  `${surveyCells} together, and its definition ${definitionBytes} bytes of JSON on ${surveyPages} pages.`;

/** The survey service validates the bodies itself, by the same schemas. */
export const documentedCreateSurvey = withExamples(createSurveyBody, {
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
  conditionsByName: {
    summary: "With a hidden field, a question that is shown by a condition, and a quota",
    value: {
      name: "Drinks",
      fields: [{ name: "customer", type: "text" }],
      questions: [
        { type: "dropdown", name: "drink", text: "What do you drink?", choices: ["Tea", "Coffee"] },
        { type: "long_text", text: "Why tea?", showIf: { name: "drink", operator: "equals", value: "Tea" } },
      ],
      quotas: [{ name: "Tea", when: { name: "drink", operator: "equals", value: "Tea" }, limit: 100, onFull: "close" }],
    },
  },
  emptyDraft: {
    summary: "An empty draft with a setting",
    value: { name: "Mittagessen", language: "de", settings: { display: { progressStyle: "steps" } } },
  },
});

export const documentedUpdateSurvey = withExamples(updateSurveyBody, {
  rename: { summary: "Changes the name", value: { name: "Lunch in spring", description: "About the new menu" } },
  changeSettings: {
    summary: "Two settings",
    value: { settings: { display: { progressStyle: "percentage" }, completion: { message: "Thank you!" } } },
  },
});

export const documentedAddQuestions = withExamples(addQuestionsBody, {
  atTheEnd: {
    summary: "Two at the end, the second on its own page",
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
});

export const documentedCopySurvey = withExamples(copySurveyBody, {
  draft: { summary: "The draft under another name", value: { name: "Lunch in autumn" } },
  version: { summary: "A published version", value: { name: "Lunch, as in spring", version: 1 } },
});

export const documentedPublishSurvey = withExamples(publishSurveyBody, {
  note: {
    summary: "With a note and an acknowledged change",
    value: { note: "Clearer wording", acknowledge: ["5d41402abc4b2a76"] },
  },
});
