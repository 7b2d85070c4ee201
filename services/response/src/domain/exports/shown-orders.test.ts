import { shownPages, type Page } from "@canvass/questions";
import { expect, test } from "vitest";
import { pageOrderColumns } from "./order-columns.ts";
import { createShownOrders } from "./shown-orders.ts";

const page = (pageId: string, block?: string): Page => ({
  pageId,
  title: pageId.toUpperCase(),
  loop: null,
  skipLogic: [],
  elements: [],
  ...(block && { block }),
});

test("a block has one column over all versions, with the pages as each respondent saw them", () => {
  const first = [page("a"), page("b", "topics"), page("c", "topics"), page("d", "topics")];
  const second = [page("b"), page("c", "topics"), page("e", "topics")];
  const orders = createShownOrders();
  orders.add(1, { pages: first });
  orders.add(2, { pages: second });
  const [block, ...others] = pageOrderColumns(orders, "labels");
  expect([block!.id, block!.text, others]).toEqual(["topics.pageOrder", "topics: Order of pages", []]);
  const [read] = orders.pages().map((each) => each.read);
  const seen = new Set<string>();
  for (let seed = 1; seed <= 20; seed++) {
    const shown = shownPages(first, seed).map(({ pageId }) => pageId);
    expect(["a", ...read!(1, seed)!]).toEqual(shown);
    expect(read!(2, seed)!.toSorted()).toEqual(["c", "e"]);
    seen.add(shown.join(""));
  }
  expect(seen.size).toBe(6);
  expect([read!(1, null), read!(3, 1)]).toEqual([null, null]);
});
