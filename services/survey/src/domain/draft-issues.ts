import type { Fault } from "@canvass/inputs";
import {
  addWeights,
  cellFaults,
  emptyWeight,
  pageWeight,
  questionTypeOf,
  questionWeight,
  weightFaults,
  type Page,
  type Question,
  type SurveyDefinition,
  type WeighedQuestion,
} from "@canvass/questions";

const lists = ["choices", "rows", "columns"] as const;

/** Where an element stands, to judge what points at it. */
type Places = ReadonlyMap<string, { question: Question; pageIndex: number }>;

/**
 * Why a draft cannot be published, each with its place in the draft (contract 6.10): no questions,
 * empty text, choices missing, logic to nowhere, a loop without items, more weight than a survey may have.
 */
export function draftIssues({ pages }: SurveyDefinition): Fault[] {
  if (pages.every(({ elements }) => elements.length === 0)) {
    return [{ path: "questions", message: "must have at least one question before the survey can be published" }];
  }
  const places: Places = new Map(
    pages.flatMap(({ elements }, pageIndex) =>
      elements.map((question) => [question.elementId, { question, pageIndex }] as const),
    ),
  );
  const issues = pages.flatMap((page, index) => [
    ...page.elements.flatMap((question, at) => questionIssues(question, `pages.${index}.elements.${at}`)),
    ...loopIssues(page, index, places),
    ...skipIssues(page, index, pages, places),
  ]);
  return [...issues, ...weightFaults(addWeights([emptyWeight, ...pages.map(pageWeight)]), weighedQuestions(pages))];
}

function* weighedQuestions(pages: readonly Page[]): Generator<WeighedQuestion> {
  for (const [index, { elements }] of pages.entries()) {
    for (const [at, question] of elements.entries()) {
      yield { path: `pages.${index}.elements.${at}`, ...questionWeight(question) };
    }
  }
}

function questionIssues(question: Question, path: string): Fault[] {
  const issues: Fault[] = [];
  if (!question.text?.trim()) issues.push({ path: `${path}.text`, message: "must not be empty" });
  const type = questionTypeOf(question);
  issues.push(...cellFaults(type, question, path));
  for (const name of lists) {
    if (type.lists[name] && !question[name]?.some(({ retired }) => !retired)) {
      issues.push({ path: `${path}.${name}`, message: "must have at least one entry" });
    }
  }
  return issues;
}

function loopIssues({ loop }: Page, pageIndex: number, places: Places): Fault[] {
  if (!loop) return [];
  const source = places.get(loop.elementId);
  if (source && source.pageIndex < pageIndex && "loopItems" in questionTypeOf(source.question)) return [];
  return [{ path: `pages.${pageIndex}.loop`, message: "must name a choice question on an earlier page" }];
}

function skipIssues({ skipLogic }: Page, pageIndex: number, pages: readonly Page[], places: Places): Fault[] {
  return skipLogic.flatMap(({ when, goTo }, at) => {
    const path = `pages.${pageIndex}.skipLogic.${at}`;
    const issues: Fault[] = [];
    const asked = places.get(when.elementId);
    if (asked === undefined || asked.pageIndex > pageIndex) {
      issues.push({ path: `${path}.when.elementId`, message: "must name a question on this or an earlier page" });
    }
    const target = pages.findIndex(({ pageId }) => pageId === goTo);
    if (goTo !== "end" && target <= pageIndex) {
      issues.push({ path: `${path}.goTo`, message: "must name a later page, or end" });
    }
    return issues;
  });
}
