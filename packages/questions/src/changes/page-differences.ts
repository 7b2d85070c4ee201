import { isSameJson } from "@canvass/values";
import { affectsResults, type ChangeClass } from "../change-class.ts";
import type { Page, SurveyDefinition } from "../definition.ts";
import { nameOfPage, quoted } from "./wording.ts";
import type { Answered, ChangeKind, Difference } from "./change.ts";
import { translationDifferences } from "./translation-differences.ts";

export function* pageDifferences(
  base: SurveyDefinition,
  draft: SurveyDefinition,
  answered: Answered,
): Generator<Difference[], void> {
  const pages = new Map(draft.pages.map((page) => [page.pageId, page]));
  const places = new Map(draft.pages.map(({ pageId }, index) => [pageId, index]));
  const concerned = largestFrom(base, answered);
  for (const [index, page] of base.pages.entries()) {
    const after = pages.get(page.pageId) ?? null;
    const name = nameOfPage(after ?? page, after ? places.get(after.pageId)! : index);
    yield comparePages(page, after, concerned[index]!, name);
    pages.delete(page.pageId);
  }
  for (const page of pages.values()) yield comparePages(null, page, 0, nameOfPage(page, places.get(page.pageId)!));
}

/** Returns for each page the highest response count of it and later pages, which its logic may affect. */
function largestFrom({ pages }: SurveyDefinition, answered: Answered): number[] {
  const concerned: number[] = [];
  let largest = 0;
  for (const { elements } of pages.toReversed()) {
    for (const { questionId } of elements) largest = Math.max(largest, answered.get(questionId)?.responses ?? 0);
    concerned.push(largest);
  }
  return concerned.toReversed();
}

function comparePages(before: Page | null, after: Page | null, responses: number, name: string): Difference[] {
  const pageId = (before ?? after)!.pageId;
  const buildDifference = (
    kind: ChangeKind,
    worst: ChangeClass,
    old: unknown,
    now: unknown,
    message: string,
  ): Difference => ({
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
  if (!before) differences.push(buildDifference("page_added", "safe", undefined, title(after), `Adds ${name}.`));
  else if (!after)
    differences.push(buildDifference("page_removed", "safe", title(before), undefined, `Removes ${name}.`));
  else if (before.title !== after.title) {
    differences.push(
      buildDifference("page_title_changed", "safe", title(before), title(after), titling(before.title, name)),
    );
  }
  const [oldLoop, loop] = [before?.loop ?? null, after?.loop ?? null];
  const isSameSource = oldLoop?.elementId === loop?.elementId;
  const [oldOrder, order] = [orderOf(before), orderOf(after)];
  if (before && after && isSameSource && !isSameJson(oldOrder, order)) {
    differences.push(
      buildDifference(
        "page_shuffle_changed",
        "safe",
        oldOrder,
        order,
        `Changes what is shuffled on ${name}, or with it.`,
      ),
    );
  }
  if (!isSameSource) {
    differences.push(
      buildDifference(
        "loop_changed",
        affectsResults,
        { loop: oldLoop },
        { loop },
        repeating(name, loop !== null, oldLoop !== null),
      ),
    );
  }
  const [oldShowIf, showIf] = [before?.showIf ?? null, after?.showIf ?? null];
  if (!isSameJson(oldShowIf, showIf)) {
    const message = `Changes who is shown ${name}.`;
    differences.push(buildDifference("show_if_changed", affectsResults, { showIf: oldShowIf }, { showIf }, message));
  }
  const [oldRules, skipLogic] = [before?.skipLogic ?? [], after?.skipLogic ?? []];
  if (!isSameJson(oldRules, skipLogic)) {
    const message = `Changes who skips what after ${name}: rules ${oldRules.length}, now ${skipLogic.length}.`;
    differences.push(
      buildDifference("skip_logic_changed", affectsResults, { skipLogic: oldRules }, { skipLogic }, message),
    );
  }
  for (const { before: old, after: now, ...told } of translationDifferences(
    before,
    after,
    `Changes translations of ${name}.`,
  )) {
    differences.push({ ...told, elementId: null, before: { pageId, ...old }, after: { pageId, ...now } });
  }
  return differences;
}

const orderOf = (page: Page | null) => ({
  shuffle: page?.shuffle ?? false,
  shuffleItems: page?.loop?.shuffle ?? false,
  block: page?.block ?? null,
});

function titling(before: string | null, name: string): string {
  return before === null
    ? `Gives a page its title: ${name}.`
    : `Changes the title of the page ${quoted(before)}; now it is ${name}.`;
}

/** `now` and `before`: true if the page repeats. */
function repeating(name: string, now: boolean, before: boolean): string {
  if (!now) return `Shows ${name} once, no longer for each chosen item.`;
  return before ? `Repeats ${name} for the items of another question.` : `Repeats ${name} for each chosen item.`;
}
