import type { Fault } from "@canvass/inputs";
import { weightLimits } from "@canvass/questions";

/** A page of the draft, in order. */
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

/** Where a list of new questions goes. */
export interface Placed {
  /** One for each question, in order. */
  placements: Placement[];
  /** To be appended to the survey, in order. */
  newPages: { pageId: string; title: string }[];
  /** An existing page that gets a title. */
  titled: { pageId: string; title: string } | null;
}

/**
 * Finds the place of new questions, given the page title of each (contract 6.6): after the last
 * question of the page named by `pageId`, or of the last page. A titled question starts a new page at the end of the
 * survey, and those after it follow; the first question of a survey without questions names its empty page instead.
 * Call `pageFaults` first.
 */
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

/** Whether new questions with these titles start more pages than a survey may have; the fault is at the first too many. */
export function pageCountFaults(pages: readonly DraftPage[], titles: readonly (string | null)[]): Fault[] {
  const namesFirst = pages.every((page) => page.questionCount === 0);
  const starting = titles.flatMap((title, at) => (title === null || (at === 0 && namesFirst) ? [] : [at]));
  const tooMany = starting[Math.max(0, weightLimits.surveyPages - pages.length)];
  if (tooMany === undefined) return [];
  const message = `must not bring the survey's pages above ${weightLimits.surveyPages}; publishing drops empty ones`;
  return [{ path: `questions.${tooMany}.pageTitle`, message }];
}

/**
 * What is wrong with `pageId`, and with titles beside it: a new page is always the survey's last, so no question that
 * is meant for an earlier one can start it. `titles` are by index of the question as it was sent.
 */
export function pageFaults(
  pages: readonly { pageId: string }[],
  pageId: unknown,
  titles: readonly (string | null)[],
): Fault[] {
  // Anything but text is a fault of the body's shape.
  if (typeof pageId !== "string") return [];
  const index = pages.findIndex((page) => page.pageId === pageId);
  if (index === -1) return [{ path: "pageId", message: "is not one of the survey's pages" }];
  if (index === pages.length - 1) return [];
  const message = "starts a new page at the end of the survey, so pageId can only name the last page beside it";
  return titles.flatMap((title, at) => (title === null ? [] : [{ path: `questions.${at}.pageTitle`, message }]));
}
