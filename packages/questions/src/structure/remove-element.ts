import type { Violation } from "@canvass/inputs";
import { asksQuestion } from "../conditions/condition-violations.ts";
import type { Page, SurveyDefinition } from "../definition.ts";
import { withoutPiped } from "../piping/remove-piped.ts";
import { removeRules, type CleanedPage } from "./remove-rules.ts";

export type Removal = { definition: SurveyDefinition; cleaned: CleanedPage[] } | { violations: Violation[] };

/**
 * Removes an element, the rules and conditions about it, and the placeholders of its answer. Returns violations if the
 * loop of a page or the choices of a question depend on it.
 */
export function removeElement(definition: SurveyDefinition, elementId: string): Removal {
  const violations = definition.pages.flatMap((page, index) => [
    ...loopViolations(page, index, elementId),
    ...carryingViolations(page, index, elementId),
  ]);
  if (violations.length > 0) return { violations };
  const { pages, cleaned } = removeRules(definition.pages, (condition) => asksQuestion(condition, elementId));
  const kept = pages.map((page) => withoutPiped(withoutElement(page, elementId), elementId));
  return { definition: { ...definition, pages: kept }, cleaned };
}

function loopViolations({ pageId, title, loop }: Page, index: number, elementId: string): Violation[] {
  if (loop?.elementId !== elementId) return [];
  const name = title === null ? `page ${pageId}` : `page ${pageId} (${title})`;
  return [
    { path: `pages.${index}.loop`, message: `of ${name} takes its items from this question; remove the loop first` },
  ];
}

function carryingViolations({ elements }: Page, index: number, elementId: string): Violation[] {
  const message = "carries the choices of this question; give it its own choices first";
  return elements.flatMap(({ logic }, at) =>
    logic?.choicesFrom?.elementId === elementId ? [{ path: `pages.${index}.elements.${at}.choicesFrom`, message }] : [],
  );
}

function withoutElement(page: Page, elementId: string): Page {
  const elements = page.elements.filter((element) => element.elementId !== elementId);
  return elements.length === page.elements.length ? page : { ...page, elements };
}
