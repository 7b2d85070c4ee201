import type { Page, Question } from "@canvass/questions";
import { expect, test } from "vitest";
import { addedShapeViolations, readAddedQuestions } from "./added-questions.ts";
import { emptyPage } from "./draft-weight.ts";
import { readNewSurvey } from "./new-survey.ts";
import { weighPage, weighQuestion } from "./outline-weight.ts";

const count = 1_000;
const questions = Array.from({ length: count }, (_, at) => ({ type: "rating", text: `Statement ${at}` }));
const newId = () => "0".repeat(16);

const pages = Array.from({ length: count }, (_, at): Page => {
  const pageId = `p${at}`.padEnd(16, "x");
  return { pageId, title: null, loop: null, skipLogic: [], elements: [] };
});
const weighed = { definition: { pages }, weights: new Map() };
const question: Question = {
  elementId: newId(),
  questionId: newId(),
  type: 8,
  text: "How was it?",
  helpText: null,
  typeSettings: { steps: 6, style: "number", labels: [] },
  responseValidation: { required: false },
};

// A generator yields so that other work can run once its time slice is used up (packages/fairness).
test.each<[string, Generator]>([
  ["a new survey", readNewSurvey({ name: "Long", questions }, "enterprise", newId)],
  ["added questions", readAddedQuestions({ questions }, [emptyPage], "enterprise", newId, new Set(), { pages: [] })],
  ["the shape of added questions", addedShapeViolations({ questions })],
  ["a changed question among pages", weighQuestion(weighed, question)],
  ["a changed page among pages", weighPage(weighed, { ...pages[0]!, pageId: newId() })],
])("validating %s, as many as a survey may have, yields at least once for each", (_what, work) => {
  expect([...work].length).toBeGreaterThanOrEqual(count);
});
