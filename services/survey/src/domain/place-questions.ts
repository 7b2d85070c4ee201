import type { Violation } from "@canvass/inputs";
import { weightLimits } from "@canvass/questions";

export interface DraftPage {
  pageId: string;
  title: string | null;
  questionCount: number;
}

export interface Placement {
  pageId: string;
  /** From 1, within the page. */
  sortOrder: number;
}

export interface Placed {
  placements: Placement[];
  newPages: { pageId: string; title: string }[];
  titled: { pageId: string; title: string } | null;
}

/** Places questions at the end of a page, or on new pages (contract 6.6). Call `pageViolations` first. */
export function placeQuestions(
  pages: readonly DraftPage[],
  pageId: string | undefined,
  titles: readonly (string | null)[],
  newId: () => string,
): Placed {
  const target = pages.find((page) => page.pageId === pageId) ?? pages.at(-1);
  if (!target) throw new Error("a survey has at least one page");
  const placed: Placed = { placements: [], newPages: [], titled: null };
  const empty = pages.every((page) => page.questionCount === 0);
  let current = { pageId: target.pageId, sortOrder: target.questionCount };
  titles.forEach((title, index) => {
    if (title !== null && index === 0 && empty) {
      placed.titled = { pageId: current.pageId, title };
    } else if (title !== null) {
      current = { pageId: newId(), sortOrder: 0 };
      placed.newPages.push({ pageId: current.pageId, title });
    }
    current = { ...current, sortOrder: current.sortOrder + 1 };
    placed.placements.push(current);
  });
  return placed;
}

export function pageCountViolations(pages: readonly DraftPage[], titles: readonly (string | null)[]): Violation[] {
  const namesFirst = pages.every((page) => page.questionCount === 0);
  const starting = titles.flatMap((title, at) => (title === null || (at === 0 && namesFirst) ? [] : [at]));
  const tooMany = starting[Math.max(0, weightLimits.surveyPages - pages.length)];
  if (tooMany === undefined) return [];
  const message = `must not bring the survey's pages above ${weightLimits.surveyPages}; publishing drops empty ones`;
  return [{ path: `questions.${tooMany}.pageTitle`, message }];
}

/** A new page is always the survey's last, so a question for an earlier page cannot start one. */
export function pageViolations(
  pages: readonly { pageId: string }[],
  pageId: unknown,
  titles: readonly (string | null)[],
): Violation[] {
  // Any other type is a violation of the body's shape.
  if (typeof pageId !== "string") return [];
  const index = pages.findIndex((page) => page.pageId === pageId);
  if (index === -1) return [{ path: "pageId", message: "is not one of the survey's pages" }];
  if (index === pages.length - 1) return [];
  const message = "starts a new page at the end of the survey, so pageId can only name the last page beside it";
  return titles.flatMap((title, at) => (title === null ? [] : [{ path: `questions.${at}.pageTitle`, message }]));
}
