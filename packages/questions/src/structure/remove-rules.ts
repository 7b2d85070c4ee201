import type { Page, SkipRule } from "../definition.ts";

export type CleanedPage = { pageId: string; rules: SkipRule[] };

/**
 * Removes the rules that `goes` selects. Pages without such a rule stay the same objects, so callers can tell which
 * pages to store.
 */
export function removeRules(
  pages: readonly Page[],
  goes: (rule: SkipRule) => boolean,
): { pages: Page[]; cleaned: CleanedPage[] } {
  const cleaned: CleanedPage[] = [];
  const kept = pages.map((page) => {
    const rules = page.skipLogic.filter(goes);
    if (rules.length === 0) return page;
    cleaned.push({ pageId: page.pageId, rules });
    return { ...page, skipLogic: page.skipLogic.filter((rule) => !rules.includes(rule)) };
  });
  return { pages: kept, cleaned };
}
