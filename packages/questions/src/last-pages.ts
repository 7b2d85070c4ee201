import type { SurveyDefinition } from "./definition.ts";
import { findVisitedPage, indexOf, isAlwaysShown } from "./definition-index.ts";

/** False if a later page follows that visit (`pageId` or `pageId:itemId`) whatever is answered. */
export function mayEndOn(definition: SurveyDefinition, visit: string): boolean {
  const page = findVisitedPage(definition, visit);
  // No page of a block is the last.
  if (!page || page.block !== undefined) return false;
  const { pageIndexes } = indexOf(definition);
  const targets = page.skipLogic.map(({ goTo }) => pageIndexes.get(goTo) ?? definition.pages.length);
  return Math.max(pageIndexes.get(page.pageId)! + 1, ...targets) > lastCertainPage(definition);
}

/** Returns the index of the last page that only a skip rule can leave out; -1 if there is no such page. */
function lastCertainPage(definition: SurveyDefinition): number {
  const { placed } = indexOf(definition);
  for (let position = placed.length - 1; position >= 0; position--) {
    const { loop, showIf } = definition.pages[position]!;
    const elements = placed[position]!;
    if (!loop && !showIf && (elements.length === 0 || elements.some(isAlwaysShown))) return position;
  }
  return -1;
}
