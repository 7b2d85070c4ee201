import { expect, test } from "vitest";
import { buildQuestions } from "../new-questions.ts";
import { countingIds } from "../../test/sample-question.ts";
import { describeCondition } from "./describe-condition.ts";
import { readCondition } from "./read-condition.ts";

const built = buildQuestions(
  [
    {
      type: "multiple_choice",
      text: "Which **colour**?",
      textFormat: "markdown",
      name: "colour",
      choices: ["Red", "Green"],
    },
    { type: "number", text: "How old?", name: "age" },
  ],
  countingIds(),
);
if ("violations" in built) throw new Error(JSON.stringify(built.violations));
const elements = built.questions.map(({ question }) => question);
const pages = [{ pageId: "page".padEnd(16, "0"), title: null, loop: null, skipLogic: [], elements }];
const definition = { pages, fields: [{ name: "customer", type: "number" as const }] };

function describe(given: object): string {
  const read = readCondition(definition, given, "");
  if (read.violations) throw new Error(JSON.stringify(read.violations));
  return describeCondition(definition, read.condition);
}

test("a condition is described with the texts of its questions and choices", () => {
  expect(describe({ name: "colour", operator: "equals", value: "Red" })).toMatch(/^“Which .*colour.*\?” is “Red”$/);
  const age = { name: "age", operator: "between", value: [18, 30] };
  const customer = { field: "customer", operator: "at_least", value: 7 };
  expect(describe({ any: [{ all: [age, customer] }, { not: { name: "age", operator: "answered" } }] })).toBe(
    "(“How old?” is between 18 and 30 and the field customer is at least 7) or not (“How old?” is answered)",
  );
  expect(describe({ all: [{ language: true, operator: "in", value: ["de", "en"] }] })).toBe(
    "the language is one of “de”, “en”",
  );
});

test("a long text is cut between its characters", () => {
  const [choice] = elements[0]!.choices!;
  const named = (text: string) => {
    const question = { ...elements[0]!, choices: [{ ...choice!, text }] };
    const condition = { elementId: question.elementId, operator: "equals" as const, value: choice!.id };
    return describeCondition({ pages: [{ ...pages[0]!, elements: [question] }] }, condition);
  };
  expect(named("😀".repeat(80))).toContain(`is “${"😀".repeat(80)}”`);
  expect(named("😀".repeat(81))).toContain(`is “${"😀".repeat(79)}…”`);
});
