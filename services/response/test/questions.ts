import type { Question, SurveyDefinition } from "@canvass/questions";

export const workspaceId = "workspace1000000";
export const surveyId = "survey1000000000";

/** A valid id that a test can read. */
export const testId = (name: string): string => name.padEnd(16, "0");

export function ratingQuestion(name: string, required = false): Question {
  return {
    elementId: testId(name),
    questionId: testId(`q${name}`),
    type: 8,
    text: name,
    helpText: null,
    typeSettings: { steps: 6, style: "number", labels: [] },
    responseValidation: { required },
  };
}

export function numberQuestion(name: string): Question {
  return { ...ratingQuestion(name), type: 3, typeSettings: { min: null, max: null, decimals: null } };
}

export function definitionOf(pages: Question[][]): SurveyDefinition {
  return {
    pages: pages.map((elements, index) => ({
      pageId: testId(`page${index + 1}`),
      title: null,
      loop: null,
      skipLogic: [],
      elements,
    })),
  };
}

/** A dropdown for each statement. Rows and columns are names; `columns` gives each column's options. */
export function dropdownMatrixQuestion(name: string, rows: string[], columns: Record<string, string[]>): Question {
  return {
    ...ratingQuestion(name),
    type: 13,
    typeSettings: { eachRowRequired: false },
    rows: rows.map(entryOf),
    columns: Object.entries(columns).map(([column, options]) => ({
      ...entryOf(column),
      options: options.map(entryOf),
    })),
  };
}

export function choiceQuestion(name: string, choices: string[], multipleAnswers = true): Question {
  return {
    ...ratingQuestion(name),
    type: 4,
    typeSettings: { multipleAnswers, other: null, shuffle: false, minSelections: null, maxSelections: null },
    choices: choices.map(entryOf),
  };
}

function entryOf(name: string) {
  return { id: testId(name), text: `The ${name}`, retired: false };
}
