import { questionTypeOf } from "@canvass/questions";
import { expect, test } from "vitest";
import { wordsFor } from "../src/page/validation.ts";
import { de } from "../src/words/de.ts";
import { questionsOf } from "./sample-survey.ts";

const text = (typeSettings: object) => ({ type: "short_text", text: "?", typeSettings });
const number = (typeSettings: object) => ({ type: "number", text: "?", typeSettings });

// Messages of question types for which the page has words of its own.
test.each([
  [text({ format: "email" }), "x", de.email],
  [text({ format: "url" }), "x", de.url],
  [text({ format: "phone" }), "x", de.phone],
  [text({ pattern: "^[0-9]{4}$" }), "x", de.pattern],
  [{ type: "consent", text: "?", typeSettings: { mustAccept: true } }, false, de.required],
  [number({ min: 1 }), 0, de.numbers.least("1")],
  [number({ max: 1 }), 2, de.numbers.most("1")],
  [number({ decimals: 0 }), 1.5, de.numbers.whole],
  [number({ decimals: 1 }), 1.25, de.numbers.decimals(1)],
  [number({}), "x", de.numbers.wanted],
])("the violation of %j by %j has the page's own words", (input, value, expected) => {
  const [question] = questionsOf(input);
  const [violation] = questionTypeOf(question!).checkValue(question!, value, {});
  expect(wordsFor(violation!.message, false, de, "de")).toBe(expected);
});

test("a sum that is not the total has the page's own words", () => {
  const [question] = questionsOf({
    type: "constant_sum",
    text: "?",
    choices: ["A", "B"],
    typeSettings: { total: 100 },
  });
  const [first, second] = question!.choices!;
  const [violation] = questionTypeOf(question!).checkValue(question!, { [first!.id]: 1, [second!.id]: 2 }, {});
  expect(wordsFor(violation!.message, false, de, "de")).toBe(de.mustSum("100"));
});
