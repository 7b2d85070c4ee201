import {
  addWeights,
  emptyWeight,
  pageWeight,
  questionWeight,
  weightViolations,
  type ValidateTogether,
  type Page,
  type Weight,
  type WeighedQuestion,
} from "@canvass/questions";
import { pageCountViolations, placeQuestions, type DraftPage } from "./place-questions.ts";

export interface WeighedPage extends DraftPage, Weight, Omit<Page, "elements" | "translations"> {}

/** The page of a new survey. Only the length of its id counts. */
export const emptyPage: WeighedPage = {
  pageId: "0".repeat(16),
  title: null,
  loop: null,
  skipLogic: [],
  questionCount: 0,
  cells: 0,
  bytes: 0,
};

export function weightValidator(pages: readonly WeighedPage[], pageId?: unknown): ValidateTogether {
  return function* (questions) {
    const weighed: WeighedQuestion[] = [];
    for (const [index, built] of questions.entries()) {
      if (built) weighed.push({ path: `questions.${index}`, ...questionWeight(built.question) });
      yield;
    }
    const titles = questions.map((question) => question?.pageTitle ?? null);
    return [...pageCountViolations(pages, titles), ...weightViolations(heldWeight(pages, pageId, titles), weighed)];
  };
}

function heldWeight(pages: readonly WeighedPage[], pageId: unknown, titles: readonly (string | null)[]): Weight {
  const { newPages, titled } = placeQuestions(pages, pageId as string | undefined, titles, () => emptyPage.pageId);
  const all = [
    ...pages.map((page) => (page.pageId === titled?.pageId ? { ...page, ...titled } : page)),
    ...newPages.map((page) => ({ ...emptyPage, ...page })),
  ];
  return addWeights([emptyWeight, ...all, ...all.map(pageWeight)]);
}
