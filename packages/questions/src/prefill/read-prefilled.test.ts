import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ask, page } from "../../test/sample-survey.ts";
import { questionTypeOf } from "../catalogue.ts";
import { prefillNames } from "./prefill-names.ts";
import { readPrefilled } from "./read-prefilled.ts";

const choices = ["Soup", "Tea", "7"];
const several = { multipleAnswers: true };

test.each([
  ["short_text", {}, ["a"], "a"],
  ["short_text", {}, ["12"], "12"],
  ["short_text", {}, ["a", "b"], undefined],
  ["number", {}, ["-1.5"], -1.5],
  ["number", {}, ["1e5"], undefined],
  ["rating", {}, ["5"], 5],
  ["rating", {}, ["6"], undefined],
  ["yes_no", {}, ["No"], false],
  ["yes_no", {}, ["1"], true],
  ["yes_no", {}, ["constructor"], undefined],
  ["date_time", {}, ["2026-01-31"], "2026-01-31"],
  ["date_time", {}, ["31.1."], undefined],
])("%s %j takes %j as %j", (type, fields, texts, value) => {
  expect(readPrefilled(ask("a", type, { text: "?", ...fields }), { elementId: "a", codes: {} }, texts)).toBe(value);
});

test("choices are named by code, id or text", () => {
  const one = ask("a", "dropdown", { text: "?", choices });
  const [soup, tea, seven] = one.choices!.map(({ id }) => id) as [string, string, string];
  const named = { elementId: "a", codes: { "7": soup } };
  const read = (...texts: string[]) => readPrefilled(one, named, texts);
  expect([read("Tea"), read(tea), read("7"), read("Soup", "Tea"), read("Cake")]).toEqual([
    tea,
    tea,
    soup,
    undefined,
    undefined,
  ]);
  expect(readPrefilled(one, { ...named, codes: {} }, ["7"])).toBe(seven);
  const many = ask("b", "multiple_choice", { text: "?", choices, ...several });
  const ids = many.choices!.map(({ id }) => id);
  const plain = { elementId: "b", codes: {} };
  expect(readPrefilled(many, plain, ["Tea"])).toEqual([ids[1]]);
  expect(readPrefilled(many, plain, ["Tea", "Soup"])).toEqual([ids[1], ids[0]]);
  expect(readPrefilled(many, plain, ["Tea", "Tea"])).toBeUndefined();
});

test("only questions with a name, one text as answer, and no repeating page are named", () => {
  const named = (id: string, type: string, fields: Record<string, unknown> = {}) => ({
    ...ask(id, type, fields),
    name: `n_${id}`,
  });
  const dish = named("dish", "multiple_choice", { choices: [{ text: "a", code: "x" }, "b"], ...several });
  const elements = [dish, named("form", "contact_info"), ask("other", "number"), named("said", "consent")];
  const repeated = page("again", [named("each", "number")], { loop: { elementId: "dish" } });
  expect(prefillNames({ pages: [page("first", elements), repeated] })).toEqual({
    n_dish: { elementId: "dish", codes: { x: dish.choices![0]!.id } },
  });
});

test("for any input, the result is a valid answer", () => {
  const questions = ["short_text", "number", "yes_no", "date_time", "dropdown", "rating", "ranking"].map((type) =>
    ask("a", type, { text: "?", ...(/down|rank/.test(type) && { choices }) }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...questions), fc.array(fc.string(), { maxLength: 3 }), (question, texts) => {
      const value = readPrefilled(question, { elementId: "a", codes: {} }, texts);
      expect(value === undefined ? [] : questionTypeOf(question).checkValue(question, value)).toEqual([]);
    }),
  );
});
