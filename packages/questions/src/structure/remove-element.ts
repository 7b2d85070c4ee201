import type { Fault } from "@canvass/inputs";
import type { Page, SurveyDefinition } from "../definition.ts";
import { removeRules, type CleanedPage } from "./remove-rules.ts";

export type Removal = { definition: SurveyDefinition; cleaned: CleanedPage[] } | { faults: Fault[] };

/**
 * Removes an element and the skip rules that ask it; a page that becomes empty stays. Returns faults if a page's loop
 * depends on the element.
 */
export function removeElement(definition: SurveyDefinition, elementId: string): Removal {
  const faults = definition.pages.flatMap((page, index) => loopFaults(page, index, elementId));
  if (faults.length > 0) return { faults };
  const { pages, cleaned } = removeRules(definition.pages, ({ when }) => when.elementId === elementId);
  return { definition: { pages: pages.map((page) => withoutElement(page, elementId)) }, cleaned };
}

function loopFaults({ pageId, title, loop }: Page, index: number, elementId: string): Fault[] {
  if (loop?.elementId !== elementId) return [];
  const name = title === null ? `page ${pageId}` : `page ${pageId} (${title})`;
  return [
    { path: `pages.${index}.loop`, message: `of ${name} takes its items from this question; take the loop off first` },
  ];
}

/** Returns the same object if the element is not on the page, so that callers store only changed pages. */
function withoutElement(page: Page, elementId: string): Page {
  const elements = page.elements.filter((element) => element.elementId !== elementId);
  return elements.length === page.elements.length ? page : { ...page, elements };
}
