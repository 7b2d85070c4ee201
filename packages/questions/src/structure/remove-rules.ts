import type { Page, SkipRule } from "../definition.ts";

/** Skip rules that asked for what is gone, and the page whose they were. */
export type CleanedPage = { pageId: string; rules: SkipRule[] };

/** Pages without the rules that `goes` names. A page that loses none is the same object, so that a caller sees what there is to store. */
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
