import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, linesOf, page, rule } from "../../test/sample-survey.ts";
import { answersTo, surveys } from "../../test/survey-arbitrary.ts";
import { compareDefinitions } from "../changes/compare-definitions.ts";
import type { Page, Question, SkipRule } from "../definition.ts";
import { finish } from "../finish.ts";
import { isLastReachable, nextPageIndex } from "../logic.ts";
import { reachedKeys } from "../../test/reached-keys.ts";
import { shownDefinition, shownPages } from "../order/shown-definition.ts";
import { largestOrderSeed } from "../order/shown-order.ts";
import { publicDefinition } from "../public/public-definition.ts";
import { checkDefinition } from "./check-definition.ts";
import { patchPage } from "./patch-page.ts";

const block = { block: "topics" };
const asks = (id: string, asked: string): Question => ({
  ...ask(id),
  logic: { showIf: { elementId: asked, operator: "answered" } },
});
const issuesOf = (pages: Page[]) =>
  checkDefinition({ pages }).map(({ path, code, message }) => `${path} ${code} ${message}`);
const skip = (asked: string, goTo: string): { skipLogic: SkipRule[] } => ({
  skipLogic: [rule(asked, "answered", undefined, goTo)],
});
const sameBlock = "must not name a question of another page of its block, whose pages are shuffled";

describe("pages of a block", () => {
  const first = page("p0", [ask("a")]);
  const last = page("p9", [ask("z")]);
  const many = ask("b", "multiple_choice", { multipleAnswers: true });
  test.each<[string, Page[], string[]]>([
    [
      "ask pages before, and pages after ask them",
      [first, page("p1", [asks("b", "a")], block), page("p2", [ask("c")], block), page("p3", [asks("d", "c")])],
      [],
    ],
    [
      "are jumped to at the first, and over",
      [page("p0", [ask("a")], skip("a", "p1")), page("p1", [ask("b")], block), page("p2", [ask("c")], block)],
      [],
    ],
    [
      "do not ask each other",
      [page("p1", [ask("b")], block), page("p2", [asks("c", "b")], block)],
      [`pages.1.elements.0.showIf.elementId display_logic_broken ${sameBlock}`],
    ],
    ["ask their own page", [page("p1", [ask("b")], block), page("p2", [ask("c"), asks("d", "c")], block)], []],
    [
      "are not shown by each other",
      [
        page("p1", [ask("b")], block),
        page("p2", [ask("c")], { ...block, showIf: { elementId: "b", operator: "answered" } }),
      ],
      [`pages.1.showIf.elementId display_logic_broken ${sameBlock}`],
    ],
    [
      "do not repeat for each other",
      [page("p1", [many], block), page("p2", [ask("c")], { ...block, loop: { elementId: "b" } })],
      [`pages.1.loop.elementId loop_broken ${sameBlock}`],
    ],
    [
      "have no rules",
      [page("p1", [ask("b")], { ...block, ...skip("b", "end") }), last],
      [
        "pages.0.block block_broken cannot be combined with skipLogic",
        "pages.0.skipLogic skip_logic_broken cannot be combined with block",
      ],
    ],
    [
      "are not jumped into",
      [page("p0", [ask("a")], skip("a", "p2")), page("p1", [ask("b")], block), page("p2", [ask("c")], block)],
      ["pages.0.skipLogic.0.goTo skip_logic_broken must name the first page of a block, whose pages are shuffled"],
    ],
    [
      "follow each other",
      [page("p1", [ask("b")], block), last, page("p2", [ask("c")], block)],
      ["pages.2.block block_broken must be of pages that follow each other, without others between them"],
    ],
  ])("%s", (_name, pages, issues) => {
    expect(issuesOf(pages)).toEqual(issues);
  });

  test("are given by patches, which refuse what would break", () => {
    const pages = [page("p1", [ask("a")]), page("p2", [ask("b")]), page("p3", [asks("c", "b")])];
    const patched = (given: Page[], pageId: string, patch: object) => {
      const outcome = finish(patchPage({ pages: given }, pageId, patch));
      return "violations" in outcome ? linesOf(outcome.violations) : outcome.definition.pages;
    };
    const one = patched(pages, "p1", block) as Page[];
    const two = patched(one, "p2", block) as Page[];
    expect(two.map((each) => each.block)).toEqual(["topics", "topics", undefined]);
    expect(patched(two, "p3", block)).toEqual([`pages.2.elements.0.showIf.elementId ${sameBlock}`]);
    const shown = page("p2", [ask("b")], { showIf: { elementId: "a", operator: "answered" } });
    expect(patched(one.with(1, shown), "p2", block)).toEqual([`pages.1.showIf.elementId ${sameBlock}`]);
    expect(patched(two, "p1", { block: null })).toEqual([pages[0], { ...pages[1], ...block }, pages[2]]);
    expect(patched(pages, "p1", { block: "9" })).toEqual([expect.stringMatching(/^block must be a letter/)]);
    expect(patched(pages, "p1", { block: 9 })).toHaveLength(1);
    const three = patched(patched(two.with(2, page("p3", [ask("c")])), "p3", block) as Page[], "p2", { block: null });
    expect(three).toEqual([expect.stringMatching(/^pages\.2\.block must be of pages that follow/)]);
  });

  test("change safely", () => {
    const pages = [page("p1", [ask("a")]), page("p2", [ask("b")])];
    const after = pages.map((each) => ({ ...each, ...block }));
    const answered = new Map([["q-a", { responses: 5, byKey: new Map() }]]);
    const changes = compareDefinitions({ pages }, { pages: after }, answered, (text) => text);
    expect(changes.map(({ kind, class: of }) => `${kind} ${of}`)).toEqual([
      "page_shuffle_changed safe",
      "page_shuffle_changed safe",
    ]);
  });

  test("are none of them the last, and after any of them the first may come next", () => {
    const pages = [first, page("p1", [ask("b")], block), page("p2", [ask("c")], block)];
    const none = new Map<string, unknown>();
    expect(["p1", "p2"].map((pageId) => isLastReachable({ pages }, none, pageId))).toEqual([false, false]);
    expect(isLastReachable({ pages: [...pages, last] }, none, "p9")).toBe(true);
    expect(["p0", "p1", "p2"].map((pageId) => nextPageIndex({ pages }, none, pageId))).toEqual([1, 1, 1]);
  });
});

test("a respondent's order has each page once, blocks where they are, and what it shows and asks does not depend on it", () => {
  const given = fc
    .tuple(surveys, fc.integer({ min: 1, max: largestOrderSeed }))
    .chain(([definition, seed]) => fc.tuple(fc.constant(definition), fc.constant(seed), answersTo(definition)));
  let moved = 0;
  fc.assert(
    fc.property(given, ([definition, seed, answers]) => {
      const pages = shownPages(definition.pages, seed);
      if (pages.some((each, at) => each !== definition.pages[at])) moved++;
      expect(pages.map((each) => each.block)).toEqual(definition.pages.map((each) => each.block));
      expect(new Set(pages)).toEqual(new Set(definition.pages));
      expect(shownDefinition(publicDefinition(definition), seed).pages.map(({ id }) => id)).toEqual(
        pages.map(({ pageId }) => pageId),
      );
      expect(checkDefinition({ ...definition, pages }).filter(({ code }) => code !== "skip_logic_broken")).toEqual([]);
      const withoutJumps = (of: readonly Page[]) => ({ pages: of.map((each) => ({ ...each, skipLogic: [] })) });
      const reached = [pages, definition.pages].map((of) => [...reachedKeys(withoutJumps(of), answers)].toSorted());
      expect(reached[0]).toEqual(reached[1]);
    }),
    { numRuns: 500 },
  );
  expect(moved).toBeGreaterThan(10);
});
