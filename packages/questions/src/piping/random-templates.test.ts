import * as fc from "fast-check";
import { expect, test } from "vitest";
import { surveysOfOwnIds } from "../../test/surveys-of-own-ids.ts";
import { questionTypeOf } from "../catalogue.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import { noFormer } from "../document/former-survey.ts";
import { readingDocument } from "../document/read-document.ts";
import { writingDocument } from "../document/write-document.ts";
import { finish } from "../finish.ts";
import { answersTo } from "../../test/survey-arbitrary.ts";
import { checkDefinition } from "../structure/check-definition.ts";
import { orderElements } from "../structure/order-elements.ts";
import { removeElement } from "../structure/remove-element.ts";
import { describingDefinition } from "./described-texts.ts";
import { mapTemplates, pipedElementIds, templatesOf } from "./piped-texts.ts";
import { pipedQuestion, pipedValues } from "./piped-values.ts";

const elementsOf = ({ pages }: SurveyDefinition): Question[] => pages.flatMap(({ elements }) => elements);

const picked = fc.array(fc.nat(), { minLength: 60, maxLength: 60 });
/** Surveys in which some texts name an element before them. */
const templated = fc.tuple(surveysOfOwnIds, picked).map(([{ pages, ...lists }, picks]) => {
  let at = 0;
  const pick = () => picks[at++ % picks.length]!;
  const named: string[] = [];
  return {
    ...lists,
    pages: pages.map((page) => {
      const ofPage: string[] = [];
      const elements = page.elements.map((question): Question => {
        const usable = page.shuffle ? named : [...named, ...ofPage];
        const id = usable[pick() % Math.max(1, usable.length)];
        const { answerable, pipedText } = questionTypeOf(question);
        if (answerable && pipedText) ofPage.push(question.elementId);
        if (id === undefined || pick() % 2 === 0) return question;
        const text = pick() % 2 === 0 ? `Of {{${id}|it}}?` : `{{${id}}}`;
        const choices = question.choices?.map((choice) => ({ ...choice, text: `${choice.text} {{${id}|}}` }));
        return { ...question, text, ...(choices && pick() % 2 === 0 && { choices }) };
      });
      if (page.loop === null) named.push(...ofPage);
      return { ...page, elements };
    }),
  };
});
const placeholders = (definition: SurveyDefinition) => elementsOf(definition).flatMap(templatesOf);
const fields = { name: "A survey", description: "", language: "en", type: 1 };
const runs = { numRuns: 150 };

test("surveys whose texts refer to elements are valid, and remain valid after any removals and moves", () => {
  let named = 0;
  fc.assert(
    fc.property(templated, fc.nat(), (definition, at) => {
      expect(checkDefinition(definition)).toEqual([]);
      named += placeholders(definition).length;
      const elements = elementsOf(definition);
      const { elementId } = elements[at % elements.length]!;
      const removal = removeElement(definition, elementId);
      if ("definition" in removal) {
        expect(checkDefinition(removal.definition).filter(({ code }) => code !== "no_questions")).toEqual([]);
        expect(placeholders(removal.definition).flatMap(({ text }) => pipedElementIds(text))).not.toContain(elementId);
      }
      const { pageId, elements: own } = definition.pages[at % definition.pages.length]!;
      const elementIds = own.map((each) => each.elementId).toReversed();
      const ordered = finish(orderElements(definition, { pageId, elementIds }));
      expect("definition" in ordered ? checkDefinition(ordered.definition) : []).toEqual([]);
    }),
    runs,
  );
  expect(named).toBeGreaterThan(200);
});

test("a document of such a survey comes back the same, with other ids", () => {
  fc.assert(
    fc.property(templated, (definition) => {
      let last = 0;
      const newId = () => `n${String(++last).padStart(15, "0")}`;
      const source = { fields, settings: {}, translations: {}, definition, keys: new Map() };
      const text = finish(writingDocument(source));
      const context = { newId, isAnswered: () => false, digest: (each: string) => each };
      const read = finish(readingDocument(JSON.parse(text) as Record<string, unknown>, noFormer, context));
      expect(read.violations).toEqual([]);
      expect(finish(writingDocument({ ...source, definition: read.definition, keys: read.keys }))).toBe(text);
      const kept = finish(readingDocument(JSON.parse(text) as never, { ...noFormer, definition }, context));
      expect(elementsOf(kept.definition).every((question, at) => question === elementsOf(definition)[at])).toBe(true);
    }),
    runs,
  );
});

test("for any answers no text shows a placeholder, nor does one in results", () => {
  const answered = templated.chain((definition) => fc.tuple(fc.constant(definition), answersTo(definition)));
  fc.assert(
    fc.property(answered, fc.constantFrom("en", "ar", "de"), ([definition, answers], language) => {
      const values = pipedValues(definition, answers, { language, fields: {} });
      for (const page of definition.pages) {
        for (const question of page.elements) {
          const shown = pipedQuestion(question, values({ page, itemId: null }));
          expect(templatesOf({ ...shown, helpText: null })).toEqual([]);
        }
      }
      expect(placeholders(finish(describingDefinition(definition)))).toEqual([]);
      const same = (question: Question) => mapTemplates(question, (text) => text);
      expect(elementsOf(definition).map(same)).toEqual(elementsOf(definition));
    }),
    runs,
  );
});
