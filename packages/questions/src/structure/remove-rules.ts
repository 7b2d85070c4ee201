import type { Condition } from "../conditions/condition.ts";
import { numberConstraints } from "../constraint-numbers.ts";
import type { Page, Question, SkipRule } from "../definition.ts";
import { conditionsOf, withLogic } from "../element-logic.ts";
import { withKnownTranslations } from "../translations/known-translations.ts";

/** `conditions`: number of removed conditions of the page and its elements, besides the rules. */
export type CleanedPage = { pageId: string; rules: SkipRule[]; conditions: number };

/**
 * Removes the rules whose condition `goes` selects, and such conditions of pages and elements. Pages and elements that
 * have none stay the same objects, so callers can tell what to store.
 */
export function removeRules(
  pages: readonly Page[],
  goes: (condition: Condition) => boolean,
): { pages: Page[]; cleaned: CleanedPage[] } {
  const cleaned: CleanedPage[] = [];
  const kept = pages.map((page) => {
    const rules = page.skipLogic.filter(({ when }) => goes(when));
    const { showIf, ...rest } = page;
    const isHidden = showIf !== undefined && goes(showIf);
    let conditions = isHidden ? 1 : 0;
    const elements = page.elements.map((question) => {
      const cleared = withoutConditions(question, goes);
      conditions += conditionsOf(question.logic).length - conditionsOf(cleared.logic).length;
      return cleared;
    });
    if (rules.length === 0 && conditions === 0) return page;
    cleaned.push({ pageId: page.pageId, rules, conditions });
    const skipLogic = rules.length === 0 ? page.skipLogic : page.skipLogic.filter((rule) => !rules.includes(rule));
    return { ...(isHidden ? rest : page), skipLogic, elements };
  });
  return { pages: kept, cleaned };
}

function withoutConditions(question: Question, goes: (condition: Condition) => boolean): Question {
  if (!question.logic || !conditionsOf(question.logic).some(goes)) return question;
  const { showIf, requiredIf, constraints, entries, ...rest } = question.logic;
  const left = constraints?.filter(({ must }) => !goes(must));
  const cleared = withLogic(question, {
    ...rest,
    ...(showIf && !goes(showIf) && { showIf }),
    ...(requiredIf && !goes(requiredIf) && { requiredIf }),
    ...(left && { constraints: numberConstraints(left, constraints) }),
    ...(entries && { entries: Object.fromEntries(Object.entries(entries).filter(([, each]) => !goes(each))) }),
  });
  return withKnownTranslations(cleared);
}
