import { isSameJson } from "@canvass/values";
import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countingIds } from "../../test/sample-question.ts";
import { ask, page } from "../../test/sample-survey.ts";
import { surveys } from "../../test/survey-arbitrary.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import { withCarriedChoices } from "../definition-index.ts";
import { editElement } from "../edits/edit-element.ts";
import { removeElement } from "../structure/remove-element.ts";
import type { Answered } from "./change.ts";
import { compareDefinitions } from "./compare-definitions.ts";
import { heaviestIncreasingSubset } from "./moved-elements.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
const runs = { numRuns: 300 };
const elementsOf = ({ pages }: SurveyDefinition) => pages.flatMap(({ elements }) => elements);

/** Returns answers to every question, with every entry. */
function allAnswered(definition: SurveyDefinition): Answered {
  return new Map(
    elementsOf(definition).map(({ questionId, choices = [], rows = [], columns = [] }) => {
      const byKey = new Map([...choices, ...rows, ...columns].map(({ id }) => [id, 2]));
      return [questionId, { responses: 3, byKey }];
    }),
  );
}

/** Returns the definition with each question changed by `change`. */
function mapQuestions(
  definition: SurveyDefinition,
  change: (question: Question, index: number) => Question,
): SurveyDefinition {
  let index = 0;
  return {
    ...definition,
    pages: definition.pages.map((page) => ({
      ...page,
      elements: page.elements.map((question) => change(question, index++)),
    })),
  };
}

test("a definition is no different from itself", () => {
  fc.assert(
    fc.property(surveys, (definition) => {
      const answered = allAnswered(definition);
      expect(compareDefinitions(definition, definition, answered, hash)).toEqual([]);
      expect(compareDefinitions(definition, structuredClone(definition), answered, hash)).toEqual([]);
    }),
    runs,
  );
});

/** Edits that affect no answer. */
const safeEdits: ((question: Question) => Question)[] = [
  (question) => ({ ...question, helpText: "help" }),
  (question) =>
    "shuffle" in question.typeSettings
      ? { ...question, typeSettings: { ...question.typeSettings, shuffle: true } }
      : question,
  (question) =>
    "style" in question.typeSettings
      ? { ...question, typeSettings: { ...question.typeSettings, style: "heart" } }
      : question,
  (question) =>
    "maxLength" in question.typeSettings
      ? { ...question, typeSettings: { ...question.typeSettings, maxLength: 4_000 } }
      : question,
  (question) => question,
];

test("safe edits never result in more than safe changes, for any answers", () => {
  fc.assert(
    fc.property(
      surveys,
      fc.array(fc.nat(safeEdits.length - 1), { minLength: 18, maxLength: 18 }),
      fc.boolean(),
      (definition, edits, adds) => {
        const edited = mapQuestions(definition, (question, index) => safeEdits[edits[index]!]!(question));
        const draft = adds
          ? { ...edited, pages: [...edited.pages, page("new", [ask("new")], { title: "More" })] }
          : edited;
        const changes = compareDefinitions(definition, draft, allAnswered(definition), hash);
        expect(changes.filter((change) => change.class !== "safe")).toEqual([]);
      },
    ),
    runs,
  );
});

const edits = fc.oneof(
  fc.record({
    settings: fc.record({ responseValidation: fc.record({ required: fc.boolean() }) }),
    questionText: fc.constantFrom("What?", "New?"),
  }),
  fc.constantFrom([], ["x"], ["x", "y", "z"]).map((choices) => ({ settings: { choices } })),
  fc
    .record({ multipleAnswers: fc.boolean(), shuffle: fc.boolean() })
    .map((typeSettings) => ({ settings: { typeSettings } })),
  fc.constant({ settings: { typeSettings: {} }, helpText: "help" }),
);

test("any edit with an effect is listed; it is safe for unanswered questions; change ids are unique and repeatable", () => {
  fc.assert(
    fc.property(
      surveys,
      fc.array(edits, { minLength: 18, maxLength: 18 }),
      fc.boolean(),
      (definition, inputs, isAnswered) => {
        const newId = countingIds();
        const draft = mapQuestions(definition, (question, index) => {
          const result = editElement("settings", question, inputs[index], {
            newId: () => `x${newId().slice(1)}`,
            isAnswered: () => isAnswered,
          });
          return "question" in result ? result.question : question;
        });
        const changes = compareDefinitions(definition, draft, allAnswered(definition), hash);
        const [old, now] = [definition, draft].map((each) => elementsOf(withCarriedChoices(each)));
        const differing = now!
          .filter((question, index) => !isSameJson(question, old![index]))
          .map(({ elementId }) => elementId);
        expect([...new Set(changes.map(({ elementId }) => elementId))]).toEqual(differing);
        expect(new Set(changes.map(({ changeId }) => changeId)).size).toBe(changes.length);
        expect(changes.every((change) => (change.class === "safe") === (change.affectedResponses === 0))).toBe(true);
        const unanswered = compareDefinitions(definition, structuredClone(draft), new Map(), hash);
        expect(unanswered.map(({ changeId }) => changeId)).toEqual(changes.map(({ changeId }) => changeId));
        expect(unanswered.filter((change) => change.class !== "safe")).toEqual([]);
      },
    ),
    runs,
  );
});

test("the number of changes does not depend on answers, and moving unanswered items affects none", () => {
  let untouched = 0;
  const orders = surveys.chain((definition) => {
    const all = elementsOf(definition);
    const shuffled = fc.shuffledSubarray(all, { minLength: all.length });
    return fc.tuple(fc.constant(definition), shuffled, fc.subarray(all), fc.array(fc.nat(5)));
  });
  fc.assert(
    fc.property(orders, ([base, order, answeredOnes, sizes]) => {
      let at = 0;
      const pages = base.pages.map((page, index) => {
        const size = index === base.pages.length - 1 ? order.length : (sizes[index] ?? page.elements.length);
        return { ...page, elements: order.slice(at, (at += size)) };
      });
      const answered: Answered = new Map(
        answeredOnes.map(({ questionId }) => [questionId, { responses: 2, byKey: new Map() }]),
      );
      const changes = compareDefinitions(base, { ...base, pages }, answered, hash);
      expect(changes).toHaveLength(compareDefinitions(base, { ...base, pages }, new Map(), hash).length);
      const placesOf = (survey: SurveyDefinition) =>
        survey.pages.map(({ elements }) => elements.filter((each) => answered.has(each.questionId)));
      const isUntouched = isSameJson(placesOf(base), placesOf({ pages }));
      if (!isUntouched) return;
      untouched++;
      expect(changes.every((change) => change.class === "safe")).toBe(true);
    }),
    runs,
  );
  expect(untouched).toBeGreaterThan(20);
});

const conditional = ["show_if_changed", "required_if_changed", "constraints_changed", "entries_show_if_changed"];

test("deleting a question is listed as its removal and as changes of rules and conditions, and nothing else", () => {
  let removed = 0;
  fc.assert(
    fc.property(surveys, fc.nat(), (definition, at) => {
      const elements = elementsOf(definition);
      const { elementId } = elements[at % elements.length]!;
      const removal = removeElement(definition, elementId);
      if ("violations" in removal) return;
      removed++;
      const changes = compareDefinitions(definition, removal.definition, allAnswered(definition), hash);
      const kinds = changes.map(({ kind }) => kind);
      const [ofLogic, others] = [[], []] as [string[], string[]];
      for (const kind of kinds) (conditional.includes(kind) ? ofLogic : others).push(kind);
      const cleanedRules = removal.cleaned.filter(({ rules }) => rules.length > 0);
      expect(others).toEqual(["question_removed", ...cleanedRules.map(() => "skip_logic_changed")]);
      const conditions = removal.cleaned.reduce((sum, cleaned) => sum + cleaned.conditions, 0);
      expect(ofLogic.length).toBeLessThanOrEqual(conditions);
    }),
    runs,
  );
  expect(removed).toBeGreaterThan(100);
});

test("of questions in any order, those that are not called moved are the heaviest that kept their order", () => {
  const weighted = fc
    .uniqueArray(fc.nat(20), { maxLength: 8 })
    .chain((places) =>
      fc.tuple(fc.constant(places), fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 8, maxLength: 8 })),
    );
  fc.assert(
    fc.property(weighted, ([places, weights]) => {
      const questions = places.map((place, index) => ({ questionId: `${place}`, place, weight: weights[index]! }));
      const weigh = (some: typeof questions) => some.reduce((sum, { weight }) => sum + weight, 0);
      const inOrder = (some: typeof questions) =>
        some.every(({ place }, at) => at === 0 || some[at - 1]!.place < place);
      let heaviest = 0;
      for (let mask = 0; mask < 2 ** questions.length; mask++) {
        const some = questions.filter((_, index) => (mask >> index) & 1);
        if (inOrder(some)) heaviest = Math.max(heaviest, weigh(some));
      }
      const chosen = heaviestIncreasingSubset(questions);
      const stay = questions.filter(({ questionId }) => chosen.has(questionId));
      expect([inOrder(stay), weigh(stay)]).toEqual([true, heaviest]);
    }),
    { numRuns: 500 },
  );
});
