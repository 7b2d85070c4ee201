import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ask, outline, page, rule } from "../../test/sample-survey.ts";
import { answersTo, surveys } from "../../test/survey-arbitrary.ts";
import { answerKey } from "../answer-key.ts";
import type { SurveyDefinition } from "../definition.ts";
import { missingRequired, reachablePages } from "../logic.ts";
import { checkDefinition } from "./check-definition.ts";
import { dropEmptyPages } from "./drop-empty-pages.ts";

const answered = surveys.chain((definition) => fc.tuple(fc.constant(definition), answersTo(definition)));

test("every respondent comes through the pages that are left as before, and no page is blank", () => {
  let dropped = 0;
  fc.assert(
    fc.property(answered, ([definition, answers]) => {
      const frozen = dropEmptyPages(definition);
      dropped += definition.pages.length - frozen.pages.length;
      expect(checkDefinition(frozen)).toEqual([]);
      for (const { elements, skipLogic } of frozen.pages) expect(elements.length + skipLogic.length).toBeGreaterThan(0);
      const left = new Set(frozen.pages.map(({ pageId }) => pageId));
      const steps = (survey: SurveyDefinition) =>
        reachablePages(survey, answers)
          .filter(({ page: { pageId } }) => left.has(pageId))
          .map(({ page: { pageId }, itemId }) => answerKey(pageId, itemId));
      expect(steps(frozen)).toEqual(steps(definition));
      expect([...missingRequired(frozen, answers)]).toEqual([...missingRequired(definition, answers)]);
      expect(dropEmptyPages(frozen)).toBe(frozen);
    }),
    { numRuns: 500 },
  );
  expect(dropped).toBeGreaterThan(100);
});

test("rules to a dropped page lead to the next one that is left, or to the end", () => {
  const rules = [rule("a", "answered", undefined, "p1"), rule("a", "not_answered", undefined, "p4")];
  const first = page("p0", [ask("a")], { skipLogic: rules });
  const last = page("p3", [ask("b")]);
  const routing = page("p5", [], { skipLogic: [rule("a", "answered", undefined, "end")] });
  const frozen = dropEmptyPages({ pages: [first, page("p1", []), page("p2", []), last, page("p4", [])] });
  expect(outline(frozen)).toEqual(["p0: a", "p3: b"]);
  expect(frozen.pages[0]!.skipLogic.map(({ goTo }) => goTo)).toEqual(["p3", "end"]);
  expect(frozen.pages[1]).toBe(last);
  expect(outline(dropEmptyPages({ pages: [last, routing, page("p6", [])] }))).toEqual(["p3: b", "p5:"]);
  const empty = { pages: [page("p0", []), page("p1", [])] };
  expect(dropEmptyPages(empty)).toBe(empty);
});
