import { isSameJson } from "@canvass/inputs";
import { affectsResults, type ChangeClass } from "../change-class.ts";
import type { Page, SurveyDefinition } from "../definition.ts";
import type { Answered, ChangeKind, Difference } from "./change.ts";

/** What differs in the pages beside their elements, page by page: which there are, titles, loops and skip logic. */
export function* pageDifferences(
  base: SurveyDefinition,
  draft: SurveyDefinition,
  answered: Answered,
): Generator<Difference[], void> {
  const pages = new Map(draft.pages.map((page) => [page.pageId, page]));
  const concerned = largestFrom(base, answered);
  for (const [index, page] of base.pages.entries()) {
    yield comparePages(page, pages.get(page.pageId) ?? null, concerned[index]!);
    pages.delete(page.pageId);
  }
  for (const page of pages.values()) yield comparePages(null, page, 0);
}

/** For each page: the answers to that question on it or after it which most people answered. Logic decides who gets there. */
function largestFrom({ pages }: SurveyDefinition, answered: Answered): number[] {
  const concerned: number[] = [];
  let largest = 0;
  for (const { elements } of pages.toReversed()) {
    for (const { questionId } of elements) largest = Math.max(largest, answered.get(questionId)?.responses ?? 0);
    concerned.push(largest);
  }
  return concerned.toReversed();
}

function comparePages(before: Page | null, after: Page | null, responses: number): Difference[] {
  const pageId = (before ?? after)!.pageId;
  const tell = (kind: ChangeKind, worst: ChangeClass, old: unknown, now: unknown, message: string): Difference => ({
    kind,
    class: worst,
    elementId: null,
    affectedResponses: worst === "safe" ? 0 : responses,
    subject: pageId,
    before: old === undefined ? null : { pageId, ...(old as object) },
    after: now === undefined ? null : { pageId, ...(now as object) },
    message,
  });
  const title = (page: Page | null) => page && { title: page.title };
  const differences: Difference[] = [];
  if (!before) differences.push(tell("page_added", "safe", undefined, title(after), "Adds a page."));
  else if (!after) differences.push(tell("page_removed", "safe", title(before), undefined, "Takes a page away."));
  else if (before.title !== after.title) {
    differences.push(tell("page_title_changed", "safe", title(before), title(after), "Changes the page's title."));
  }
  const [oldLoop, loop] = [before?.loop ?? null, after?.loop ?? null];
  if (!isSameJson(oldLoop, loop)) {
    differences.push(
      tell("loop_changed", affectsResults, { loop: oldLoop }, { loop }, "Changes whether the page repeats."),
    );
  }
  const [oldRules, skipLogic] = [before?.skipLogic ?? [], after?.skipLogic ?? []];
  if (!isSameJson(oldRules, skipLogic)) {
    const message = "Changes who gets to later pages.";
    differences.push(tell("skip_logic_changed", affectsResults, { skipLogic: oldRules }, { skipLogic }, message));
  }
  return differences;
}
