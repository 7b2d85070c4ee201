import type { Fault } from "@canvass/inputs";
import type { Page, SurveyDefinition } from "../definition.ts";
import { removeRules, type CleanedPage } from "./remove-rules.ts";

export type Removal = { definition: SurveyDefinition; cleaned: CleanedPage[] } | { faults: Fault[] };

/**
 * The definition without an element. Skip rules that ask it go with it, and the rest of its page closes up; a page that
 * becomes empty stays. A page that repeats for what is chosen in it stands in the way, and the fault names it.
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

/** The page itself when the element is not on it, so that a caller sees what there is to store. */
function withoutElement(page: Page, elementId: string): Page {
  const elements = page.elements.filter((element) => element.elementId !== elementId);
  return elements.length === page.elements.length ? page : { ...page, elements };
}
