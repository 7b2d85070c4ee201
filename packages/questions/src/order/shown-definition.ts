import type { PublicDefinition, PublicElement } from "../public/public-schema.ts";
import { shownEntries, shuffledLists } from "./shuffled-lists.ts";

/** Returns a definition with lists in the order that the respondent of the seed sees. */
export function shownDefinition({ pages }: PublicDefinition, seed: number): PublicDefinition {
  return { pages: pages.map((page) => ({ ...page, elements: page.elements.map((element) => shown(element, seed)) })) };
}

function shown(element: PublicElement, seed: number): PublicElement {
  const lists = shuffledLists(element.settings).filter((list) => element[list]);
  if (lists.length === 0) return element;
  const ordered = lists.map((list) => [list, shownEntries(element.id, element, list, seed)]);
  return { ...element, ...(Object.fromEntries(ordered) as Partial<PublicElement>) };
}
