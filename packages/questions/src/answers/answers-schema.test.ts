import { expect, test } from "vitest";
import { ask, page } from "../../test/sample-survey.ts";
import { finish } from "../finish.ts";
import { makingAnswersSchema } from "./answers-schema.ts";

test("values are found by name, else by key, and by id where that is another element's name", () => {
  const questions = [{ ...ask("one"), name: "age" }, ask("two"), ask("three"), ask("note", "statement")];
  const keys = new Map([
    ["one", "first"],
    ["two", "age"],
    ["three", "third"],
  ]);
  const schema = finish(makingAnswersSchema({ pages: [page("p1", questions)] }, { title: "Lunch", keys }));
  const { oneOf, $defs } = JSON.parse(schema) as { oneOf: { title: string }[]; $defs: object };
  expect(oneOf.map(({ title }) => title)).toEqual(["age", "two", "third"]);
  expect(Object.keys($defs)).toEqual(["age", "two", "third"]);
});
