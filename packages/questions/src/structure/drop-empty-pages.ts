import type { Page, SurveyDefinition } from "../definition.ts";

/** Drops pages without questions and rules. Rules that lead to them then lead to the next page that stays. */
export function dropEmptyPages(definition: SurveyDefinition): SurveyDefinition {
  const { pages } = definition;
  const isEmpty = pages.every(({ elements }) => elements.length === 0);
  if (isEmpty || pages.every(isNeeded)) return definition;
  const targets = targetsOf(pages);
  return { ...definition, pages: pages.filter(isNeeded).map((page) => ledTo(page, targets)) };
}

const isNeeded = ({ elements, skipLogic }: Page): boolean => elements.length > 0 || skipLogic.length > 0;

function targetsOf(pages: readonly Page[]): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  let next = "end";
  for (const page of pages.toReversed()) {
    if (isNeeded(page)) next = page.pageId;
    else targets.set(page.pageId, next);
  }
  return targets;
}

function ledTo(page: Page, targets: ReadonlyMap<string, string>): Page {
  if (!page.skipLogic.some(({ goTo }) => targets.has(goTo))) return page;
  const skipLogic = page.skipLogic.map((rule) => {
    const goTo = targets.get(rule.goTo);
    return goTo === undefined ? rule : { ...rule, goTo };
  });
  return { ...page, skipLogic };
}
