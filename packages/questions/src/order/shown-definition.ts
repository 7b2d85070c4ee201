import type { PublicDefinition, PublicElement, PublicPage } from "../public/public-schema.ts";
import { shownOrder } from "./shown-order.ts";
import { shownEntries, shuffledLists } from "./shuffled-lists.ts";

/** Returns pages, elements and lists in the order that the respondent of the seed sees, without hidden fields. */
export function shownDefinition({ pages }: PublicDefinition, seed: number): PublicDefinition {
  return { pages: shownPages(pages, seed).map((page) => shownPage(page, seed)) };
}

/** Returns pages in the order that a respondent sees. The adjacent pages of a block are shuffled among themselves. */
export function shownPages<Shown extends { block?: string }>(pages: readonly Shown[], seed: number): Shown[] {
  const blocks = new Map<string, Shown[]>();
  for (const page of pages) {
    if (page.block !== undefined) blocks.set(page.block, [...(blocks.get(page.block) ?? []), page]);
  }
  const orders = new Map(
    [...blocks].map(([block, own]) => [block, shownOrder(own, () => false, seed, `${block} pages`).values()]),
  );
  return pages.map((page) => (page.block === undefined ? page : orders.get(page.block)!.next().value!));
}

function shownPage(page: PublicPage, seed: number): PublicPage {
  const elements = page.elements.map((element) => shownElement(element, seed));
  return { ...page, elements: page.shuffle ? shownElements(page.id, elements, seed) : elements };
}

/** Returns the elements of a shuffled page in the order that a respondent sees. */
export const shownElements = <Element>(pageId: string, elements: readonly Element[], seed: number): Element[] =>
  shownOrder(elements, () => false, seed, `${pageId} elements`);

/** Returns the items of a shuffled loop in the order that a respondent sees. Other stays the last. */
export const shownItems = <Item extends { id: string; pinned?: boolean }>(
  pageId: string,
  items: readonly Item[],
  otherId: string | null,
  seed: number,
): Item[] => shownOrder(items, ({ id, pinned }) => pinned === true || id === otherId, seed, `${pageId} items`);

function shownElement(element: PublicElement, seed: number): PublicElement {
  const lists = shuffledLists(element.settings).filter((list) => element[list]);
  if (lists.length === 0) return element;
  const ordered = lists.map((list) => [list, shownEntries(element.id, element, list, seed)]);
  return { ...element, ...(Object.fromEntries(ordered) as Partial<PublicElement>) };
}
