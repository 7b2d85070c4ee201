import * as fc from "fast-check";
import { Check } from "typebox/schema";
import { describe, expect, test } from "vitest";
import { idsOf, retire, sampleQuestion } from "../../test/sample-question.ts";
import { ask, page, rule } from "../../test/sample-survey.ts";
import { questionFields } from "../../test/settings-arbitraries.ts";
import { questionTypes } from "../catalogue.ts";
import type { Question } from "../definition.ts";
import { publicDefinition } from "./public-definition.ts";
import { publicDefinitionSchema } from "./public-schema.ts";

const emptyPage = { id: "0000000000000001", title: null, loop: null, skipLogic: [] };
const only = (question: Question) => publicDefinition({ pages: [page("p1", [question])] }).pages[0]!.elements[0]!;

describe.each(questionTypes.map((type) => [type.typeName, type] as const))("a public %s", (name, type) => {
  test("has what a client draws, and nothing else", () => {
    let drawn = 0;
    const draw = (fields: Record<string, unknown>) => {
      let question: Question;
      try {
        question = sampleQuestion(name, fields);
      } catch {
        return;
      }
      drawn++;
      const element = only(question);
      expect(Check(publicDefinitionSchema, { pages: [{ ...emptyPage, elements: [element] }] })).toBe(true);
      const { elementId, text, helpText, responseValidation } = question;
      expect(element).toMatchObject({ id: elementId, type: type.number, typeName: name, text, helpText });
      expect(element).toMatchObject({ required: responseValidation.required, validation: responseValidation });
      expect(Object.keys(element.settings).sort()).toEqual(Object.keys(type.settings.properties).sort());
      for (const list of ["choices", "rows", "columns"] as const) {
        expect(element[list] !== undefined).toBe(type.lists[list] !== undefined);
        if (element[list]) expect(idsOf(element[list])).toEqual(idsOf(question[list]));
      }
      const json = JSON.stringify(element);
      expect(json).not.toContain("questionId");
      expect(json).not.toContain("retired");
    };
    fc.assert(fc.property(questionFields[name]!, draw), { numRuns: 300 });
    // For each type, 300 runs draw at least 87 valid questions.
    expect(drawn).toBeGreaterThan(20);
  });

  test("is without its retired entries", () => {
    const question = sampleQuestion(name);
    for (const list of ["choices", "rows", "columns"] as const) {
      const [first, ...rest] = question[list] ? idsOf(question[list]) : [];
      if (first === undefined) continue;
      expect(idsOf(only(retire(question, list, first))[list])).toEqual(rest);
    }
  });
});

test("a public definition has the whole way: pages with titles, loops and rules, in the stored order", () => {
  const several = ask("s", "multiple_choice", { choices: ["a", "b"], multipleAnswers: true });
  const definition = {
    pages: [
      page("p1", [several], { title: "First", skipLogic: [rule("s", "answered", undefined, "end")] }),
      page("p2", [ask("t"), ask("u", "nps", { subject: "Acme" })], { loop: { elementId: "s" } }),
    ],
  };
  const { pages } = publicDefinition(definition);
  expect(pages).toMatchObject([
    {
      id: "p1",
      title: "First",
      loop: null,
      skipLogic: [{ when: { elementId: "s", operator: "answered" }, goTo: "end" }],
      elements: [{ id: "s" }],
    },
    {
      id: "p2",
      title: null,
      loop: { elementId: "s" },
      skipLogic: [],
      elements: [{ id: "t" }, { id: "u", text: "How likely are you to recommend Acme to a friend or colleague?" }],
    },
  ]);
});

test("a public definition leaves out retired options of columns, and the id of Other while it is off", () => {
  const matrix = sampleQuestion("dropdown_matrix", { columns: [{ text: "c", options: ["x", "y"] }] });
  const column = matrix.columns![0]!;
  const options = column.options!.map((option, index) => ({ ...option, retired: index === 0 }));
  const shown = only({ ...matrix, columns: [{ ...column, options }] });
  expect(shown.columns![0]!.options).toEqual([{ id: options[1]!.id, text: "y" }]);
  const choice = sampleQuestion("multiple_choice");
  const off = { ...choice, typeSettings: { other: { enabled: false, label: "Else", choiceId: "abc" } } };
  expect(only(off).settings["other"]).toEqual({ enabled: false, label: "Else", choiceId: null });
  const on = { ...choice, typeSettings: { other: { enabled: true, label: "Else", choiceId: "abc" } } };
  expect(only(on).settings["other"]).toEqual({ enabled: true, label: "Else", choiceId: "abc" });
});

test("a public definition completes settings that a type got after it was published", () => {
  const old = { ...sampleQuestion("rating"), typeSettings: { steps: 7 } };
  expect(only(old).settings).toEqual({ steps: 7, style: "star", labels: {}, textFormat: "plain" });
});
