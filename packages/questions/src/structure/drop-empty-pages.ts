import type { Page, SurveyDefinition } from "../definition.ts";

/**
 * The definition without the pages that hold no question, as publishing freezes it: nobody is shown an empty page. One
 * that leads somewhere by rules of its own stays. Rules that lead to a dropped page lead to the next one that is left, or
 * to the end, so every respondent comes through the other pages as before. A survey without questions stays as it is.
 */
export function dropEmptyPages(definition: SurveyDefinition): SurveyDefinition {
  const { pages } = definition;
  const isEmpty = pages.every(({ elements }) => elements.length === 0);
  if (isEmpty || pages.every(isNeeded)) return definition;
  const targets = targetsOf(pages);
  return { pages: pages.filter(isNeeded).map((page) => ledTo(page, targets)) };
}

const isNeeded = ({ elements, skipLogic }: Page): boolean => elements.length > 0 || skipLogic.length > 0;

/** Of each dropped page, where rules that lead there lead instead. */
function targetsOf(pages: readonly Page[]): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  let next = "end";
  for (const page of pages.toReversed()) {
    if (isNeeded(page)) next = page.pageId;
    else targets.set(page.pageId, next);
  }
  return targets;
}

/** The page itself when none of its rules changes. */
function ledTo(page: Page, targets: ReadonlyMap<string, string>): Page {
  if (!page.skipLogic.some(({ goTo }) => targets.has(goTo))) return page;
  const skipLogic = page.skipLogic.map((rule) => {
    const goTo = targets.get(rule.goTo);
    return goTo === undefined ? rule : { ...rule, goTo };
  });
  return { ...page, skipLogic };
}
