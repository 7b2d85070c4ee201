import fc from "fast-check";
import { expect, test } from "vitest";
import { pageViolations, placeQuestions, type DraftPage } from "./place-questions.ts";

const page = (pageId: string, questionCount: number): DraftPage => ({ pageId, title: null, questionCount });

function place(pages: DraftPage[], pageId: string | undefined, titles: (string | null)[]) {
  let next = 0;
  return placeQuestions(pages, pageId, titles, () => `new${++next}`);
}

test("without a pageId questions follow the last one of the last page", () => {
  expect(place([page("a", 2), page("b", 1)], undefined, [null, null]).placements).toEqual([
    { pageId: "b", sortOrder: 2 },
    { pageId: "b", sortOrder: 3 },
  ]);
});

test("with a pageId questions follow the last one of that page", () => {
  expect(place([page("a", 2), page("b", 1)], "a", [null]).placements).toEqual([{ pageId: "a", sortOrder: 3 }]);
});

test("a title starts a page, and questions after it follow on that page", () => {
  expect(place([page("a", 1)], undefined, [null, "Two", null, "Three"])).toEqual({
    placements: [
      { pageId: "a", sortOrder: 2 },
      { pageId: "new1", sortOrder: 1 },
      { pageId: "new1", sortOrder: 2 },
      { pageId: "new2", sortOrder: 1 },
    ],
    newPages: [
      { pageId: "new1", title: "Two" },
      { pageId: "new2", title: "Three" },
    ],
    titled: null,
  });
});

test("in a survey without questions the first question's title names the empty page; later ones start pages", () => {
  expect(place([page("a", 0)], "a", ["One", "Two"])).toEqual({
    placements: [
      { pageId: "a", sortOrder: 1 },
      { pageId: "new1", sortOrder: 1 },
    ],
    newPages: [{ pageId: "new1", title: "Two" }],
    titled: { pageId: "a", title: "One" },
  });
  expect(place([page("a", 0)], undefined, [null, "Two"]).titled).toBeNull();
});

test("an empty last page after others with questions is left, not named", () => {
  expect(place([page("a", 1), page("b", 0)], undefined, ["Three"])).toMatchObject({
    newPages: [{ pageId: "new1", title: "Three" }],
    titled: null,
  });
});

test("after any additions, the positions of each page are dense from 1", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(5), { minLength: 1, maxLength: 4 }),
      fc.array(fc.option(fc.constant("title")), { minLength: 1, maxLength: 20 }),
      (counts, titles) => {
        const pages = counts.map((count, index) => page(`p${index}`, count));
        const { placements } = place(pages, undefined, titles);
        const orders = new Map(pages.map(({ pageId, questionCount }) => [pageId, questionCount]));
        for (const { pageId, sortOrder } of placements) {
          expect(sortOrder).toBe((orders.get(pageId) ?? 0) + 1);
          orders.set(pageId, sortOrder);
        }
      },
    ),
  );
});

test.each([
  [undefined, ["T"], []],
  ["b", ["T", null], []],
  ["a", [null, null], []],
  ["a", [null, "T"], ["questions.1.pageTitle"]],
  ["c", [null], ["pageId"]],
  ["c", ["T"], ["pageId"]],
  [null, [null], []],
  [["a"], [null], []],
])("pageId %j with titles %j has violations at %j", (pageId, titles, paths) => {
  const violations = pageViolations([page("a", 1), page("b", 0)], pageId, titles);
  expect(violations.map(({ path }) => path)).toEqual(paths);
});
