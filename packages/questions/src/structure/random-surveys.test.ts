import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countingIds } from "../../test/sample-question.ts";
import { ask, outline, page, rule } from "../../test/sample-survey.ts";
import { answersTo, knownAnswers, surveys } from "../../test/survey-arbitrary.ts";
import { answerKey } from "../answer-key.ts";
import { findAnswerPlace, findVisitedPage, indexOf } from "../definition-index.ts";
import { asksQuestion } from "../conditions/condition-violations.ts";
import type { Operator } from "../conditions/condition.ts";
import type { Question, SkipRule, SurveyDefinition } from "../definition.ts";
import { editElement } from "../edits/edit-element.ts";
import type { ElementEditName } from "../edits/element-edits.ts";
import { conditionsOf, logicFields, withLogic } from "../element-logic.ts";
import { finish } from "../finish.ts";
import { isReachable, missingRequired, reachablePages } from "../logic.ts";
import { checkDefinition } from "./check-definition.ts";
import { orderElements, type StructureEditResult } from "./order-elements.ts";
import { patchPage } from "./patch-page.ts";
import { removeElement } from "./remove-element.ts";
import { replaceQuestion } from "./replace-question.ts";

const runs = { numRuns: 500 };
const answered = surveys.chain((definition) => fc.tuple(fc.constant(definition), answersTo(definition)));
const elementsOf = ({ pages }: SurveyDefinition) => pages.flatMap(({ elements }) => elements);

test("random surveys are sound, and of all sorts", () => {
  const drawn = fc.sample(surveys, 300);
  expect(drawn.flatMap(checkDefinition)).toEqual([]);
  expect(drawn.filter(({ pages }) => pages.some(({ loop }) => loop)).length).toBeGreaterThan(30);
  expect(drawn.filter(({ pages }) => pages.some(({ skipLogic }) => skipLogic.length > 0)).length).toBeGreaterThan(100);
  for (const field of logicFields) {
    expect(drawn.filter((survey) => elementsOf(survey).some(({ logic }) => logic?.[field])).length).toBeGreaterThan(20);
  }
  expect(drawn.filter(({ pages }) => pages.some(({ showIf }) => showIf)).length).toBeGreaterThan(20);
  for (const asked of ['"field":', '"language":true']) {
    expect(drawn.filter((survey) => JSON.stringify(survey.pages).includes(asked)).length).toBeGreaterThan(20);
  }
});

test("the way ends, leads forward, is the same for the same answers, and every page on it is reachable", () => {
  fc.assert(
    fc.property(answered, ([definition, answers]) => {
      const way = reachablePages(definition, answers);
      const steps = way.map(({ page, itemId }) => answerKey(page.pageId, itemId));
      expect(new Set(steps).size).toBe(steps.length);
      const positions = way.map(({ page }) => definition.pages.indexOf(page));
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      const again = reachablePages(
        structuredClone(definition),
        knownAnswers([...answers].toReversed(), answers.context),
      );
      expect(again.map(({ page, itemId }) => answerKey(page.pageId, itemId))).toEqual(steps);
      if (!definition.pages[0]!.loop && way.length > 0) expect(steps[0]).toBe("p0");
      for (const { page, itemId, shown } of way) {
        expect(findVisitedPage(definition, answerKey(page.pageId, itemId))).toBe(page);
        for (const { question } of shown) {
          const { elementId } = question;
          const key = answerKey(elementId, itemId);
          expect([isReachable(definition, answers, key), findAnswerPlace(definition, key)?.page]).toEqual([true, page]);
        }
      }
      for (const { key } of missingRequired(definition, answers))
        expect(isReachable(definition, answers, key)).toBe(true);
    }),
    runs,
  );
});

test("the walk ends for any loops and skip logic", () => {
  const ids = fc.constantFrom("p0", "p1", "p2", "e00", "e10", "e20", "end", "nowhere");
  const rules = fc.array(
    fc.record({
      when: fc.record({
        elementId: ids,
        operator: fc.constantFrom("answered", "not_answered", "equals"),
        value: fc.constant(1),
      }),
      goTo: ids,
    }),
  ) as fc.Arbitrary<SkipRule[]>;
  const logic = fc.record({ skipLogic: rules, loop: fc.option(fc.record({ elementId: ids })) });
  fc.assert(
    fc.property(answered, fc.array(logic, { minLength: 6, maxLength: 6 }), ([{ pages }, answers], wrong) => {
      const definition = { pages: pages.map((page, index) => ({ ...page, ...wrong[index]! })) };
      const way = reachablePages(definition, answers);
      expect(way.length).toBeLessThanOrEqual(definition.pages.length * 10);
      expect(
        checkDefinition(definition).every(({ path }) =>
          /oop|skipLogic|showIf|requiredIf|constraints|block|choicesFrom/.test(path),
        ),
      ).toBe(true);
    }),
    runs,
  );
});

/** Whether a rule about a yes_no question holds: for true, for false, without an answer. The engine must agree. */
const meanings: [operator: Operator, value: unknown, holds: [boolean, boolean, boolean]][] = [
  ["answered", undefined, [true, true, false]],
  ["not_answered", undefined, [false, false, true]],
  ["equals", true, [true, false, false]],
  ["equals", false, [false, true, false]],
  ["not_equals", true, [false, true, true]],
];

test("the reachable pages equal those found by a walk over all rules", () => {
  const rules = fc.array(fc.tuple(fc.constantFrom(...meanings), fc.nat(4)), { maxLength: 3 });
  fc.assert(
    fc.property(fc.array(rules, { minLength: 4, maxLength: 4 }), (rulesByPage) => {
      const last = rulesByPage.length;
      const target = (from: number, jump: number) => Math.min(from + 1 + jump, last);
      const pages = rulesByPage.map((rules, at) =>
        page(`p${at}`, [ask(`e${at}`, "yes_no")], {
          skipLogic: rules.map(([[operator, value], jump]) => {
            const to = target(at, jump);
            return rule(`e${at}`, operator, value, to === last ? "end" : `p${to}`);
          }),
        }),
      );
      const walked = new Set<number>([0]);
      for (const [at, rules] of rulesByPage.entries()) {
        if (!walked.has(at)) continue;
        for (const answer of [0, 1, 2] as const) {
          const first = rules.find(([[, , holds]]) => holds[answer]);
          walked.add(first ? target(at, first[1]) : at + 1);
        }
      }
      walked.delete(last);
      const led = new Set<string>();
      for (let code = 0; code < 3 ** last; code++) {
        const given = pages.map((_, at) => [`e${at}`, [true, false, null][Math.floor(code / 3 ** at) % 3]] as const);
        for (const visit of reachablePages({ pages }, new Map(given))) led.add(visit.page.pageId);
      }
      expect([...led].toSorted()).toEqual([...walked].map((at) => `p${at}`).toSorted());
    }),
    { numRuns: 200 },
  );
});

/** Returns the survey after the edit, which must be sound, or null if the edit has violations. */
function soundOrSaid(edit: StructureEditResult): SurveyDefinition | null {
  if ("violations" in edit) {
    expect(edit.violations.length).toBeGreaterThan(0);
    return null;
  }
  const issues = checkDefinition(edit.definition).filter(({ code }) => code !== "no_questions");
  expect(issues).toEqual([]);
  return edit.definition;
}

test("deleting any element leaves a sound survey without it, or names what needs it", () => {
  let [removed, named] = [0, 0];
  fc.assert(
    fc.property(surveys, (definition) => {
      for (const { elementId } of elementsOf(definition)) {
        const removal = removeElement(definition, elementId);
        const loops = definition.pages.filter(({ loop }) => loop?.elementId === elementId);
        const after = soundOrSaid(removal);
        const carrying = elementsOf(definition).filter(({ logic }) => logic?.choicesFrom?.elementId === elementId);
        expect(after === null).toBe(loops.length + carrying.length > 0);
        if (!after || "violations" in removal) {
          named++;
          continue;
        }
        removed++;
        const plain = (survey: SurveyDefinition) => elementsOf(survey).map((question) => withLogic(question, {}));
        expect(plain(after)).toEqual(plain(definition).filter((element) => element.elementId !== elementId));
        const conditions = (survey: SurveyDefinition) =>
          elementsOf(survey).flatMap(({ elementId: id, logic }) => (id === elementId ? [] : conditionsOf(logic)))
            .length + survey.pages.filter(({ showIf }) => showIf).length;
        const gone = removal.cleaned.reduce((sum, cleaned) => sum + cleaned.conditions, 0);
        const own = conditionsOf(elementsOf(definition).find((each) => each.elementId === elementId)!.logic);
        const ownGone = own.filter((condition) => asksQuestion(condition, elementId)).length;
        expect(conditions(after) + gone - ownGone).toBe(conditions(definition));
        expect(JSON.stringify(after)).not.toContain(`"${elementId}"`);
        const rules = (pages: { skipLogic: SkipRule[] }[]) => pages.flatMap(({ skipLogic }) => skipLogic).length;
        const cleaned = removal.cleaned.flatMap(({ rules }) => rules);
        expect(rules(after.pages) + cleaned.length).toBe(rules(definition.pages));
        expect(cleaned.every(({ when }) => JSON.stringify(when).includes(`"${elementId}"`))).toBe(true);
      }
    }),
    runs,
  );
  expect(removed).toBeGreaterThan(1_000);
  expect(named).toBeGreaterThan(20);
});

test("elements in any order are all still there, each once, and the survey is sound or says why not", () => {
  const moves = surveys.chain((definition) => {
    const all = elementsOf(definition).map(({ elementId }) => elementId);
    return fc.tuple(
      fc.constant(definition),
      fc.constantFrom(...definition.pages),
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.subarray(all),
    );
  });
  let kept = 0;
  fc.assert(
    fc.property(moves, ([definition, page, order, others]) => {
      const here = new Set([...page.elements.map(({ elementId }) => elementId), ...others]);
      const elementIds = order.filter((id) => here.has(id));
      const after = soundOrSaid(finish(orderElements(definition, { pageId: page.pageId, elementIds })));
      if (!after) return;
      kept++;
      const at = indexOf(definition).pageIndexes.get(page.pageId)!;
      expect(outline(after)[at]).toBe([`${page.pageId}:`, ...elementIds].join(" "));
      const ids = (survey: SurveyDefinition) =>
        elementsOf(survey)
          .map(({ elementId }) => elementId)
          .toSorted();
      expect(ids(after)).toEqual(ids(definition));
    }),
    runs,
  );
  expect(kept).toBeGreaterThan(50);
});

test("a page patched with the logic of any other survey is valid or reports violations, and no other page changes", () => {
  let patched = 0;
  fc.assert(
    fc.property(surveys, surveys, fc.nat(5), fc.nat(5), (definition, other, at, from) => {
      const [index, source] = [at % definition.pages.length, other.pages[from % other.pages.length]!];
      const { pageId } = definition.pages[index]!;
      const patch = { title: "New", loop: source.loop, skipLogic: source.skipLogic };
      const after = soundOrSaid(finish(patchPage(definition, pageId, patch)));
      if (!after) return;
      patched++;
      expect(after.pages[index]).toEqual({ ...definition.pages[index], ...patch });
      expect(after.pages.toSpliced(index, 1)).toEqual(definition.pages.toSpliced(index, 1));
    }),
    runs,
  );
  expect(patched).toBeGreaterThan(50);
});

/** Any edit of a question's choices, rows and columns, by positions in its lists. */
const listEdits = fc.record({
  edit: fc.constantFrom<ElementEditName>("choices", "deleteChoice", "other", "settings", "choice"),
  at: fc.nat(5),
  kept: fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }),
  enabled: fc.boolean(),
  answered: fc.boolean(),
});

type ListEdit = typeof listEdits extends fc.Arbitrary<infer Edit> ? Edit : never;

function editOf(question: Question, { edit, at, kept, enabled }: ListEdit) {
  const { choices = [], columns = [], questionId } = question;
  const notRetired = (list: readonly { id: string }[]) =>
    [...new Set(kept)].map((place) => list[place]).filter((entry) => entry !== undefined);
  const keptOf = (list: readonly { id: string }[]) => notRetired(list).map(({ id }) => ({ id, text: "kept" }));
  const lists = { ...(choices.length > 0 && { choices: [...keptOf(choices), "new"] }) };
  const inputs: Partial<Record<ElementEditName, unknown>> = {
    choices: {
      choices: [
        ...notRetired(choices).map(({ id }) => ({ choiceId: id, title: "kept" })),
        { choiceId: null, title: "new" },
      ],
    },
    deleteChoice: { choiceId: choices[at % (choices.length || 1)]?.id ?? "" },
    choice: { choiceId: choices[at % (choices.length || 1)]?.id ?? null, questionId, newTitle: "back" },
    other: { enabled },
    settings: { settings: { ...lists, ...(columns.length > 0 && { columns: [...keptOf(columns), "new"] }) } },
  };
  return [edit, inputs[edit]] as const;
}

test("after any edits of choices, rows and columns a survey is sound or says why not", () => {
  let [edited, cleaned] = [0, 0];
  fc.assert(
    fc.property(
      surveys,
      fc.array(listEdits, { minLength: 1, maxLength: 10 }),
      fc.infiniteStream(fc.nat()),
      (survey, edits, picks) => {
        let definition = survey;
        const newId = countingIds();
        for (const each of edits) {
          const elements = elementsOf(definition);
          const question = elements[picks.next().value! % elements.length]!;
          const context = { newId: () => `x${newId().slice(1)}`, isAnswered: () => each.answered };
          const [name, input] = editOf(question, each);
          const outcome = editElement(name, question, input, context);
          if (!("question" in outcome)) continue;
          edited++;
          const replaced = finish(replaceQuestion(definition, outcome.question));
          if ("cleaned" in replaced) cleaned += replaced.cleaned.length;
          definition = soundOrSaid(replaced) ?? definition;
        }
      },
    ),
    runs,
  );
  expect(edited).toBeGreaterThan(200);
  expect(cleaned).toBeGreaterThan(30);
});
