import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countingIds, sampleQuestion } from "../test/sample-question.ts";
import { linesOf } from "../test/sample-survey.ts";
import { editElement } from "./edits/edit-element.ts";
import { nameViolations, readName } from "./element-names.ts";
import { nameKey } from "./name-key.ts";
import { buildQuestions } from "./new-questions.ts";

const good = ["a", "Z", "q1", "Age_Group", "a".repeat(64), "x_"];
const bad = ["", "1a", "_a", "a b", "a-b", "ä", "a\n", "a".repeat(65), 7, true, ["a"], {}];

test.each(good)("%j is a name", (name) => {
  expect(readName(name)).toBe(name);
  expect(sampleQuestion("rating", { name }).name).toBe(name);
});

test.each(bad)("%j is refused as a name, at its path", (name) => {
  expect(readName(name)).toBeUndefined();
  const built = buildQuestions([{ type: "rating", text: "?", name }], countingIds());
  const expected = expect.stringMatching(/^must be a letter, then letters, digits and _, at most 64 characters/);
  expect(built).toEqual({ violations: [{ path: "questions.0.name", message: expected }] });
});

test("a question without a name has no member for one", () => {
  for (const fields of [{}, { name: null }]) expect(sampleQuestion("rating", fields)).not.toHaveProperty("name");
});

test("repeated names are violations at each path, ignoring case, with every other violation", () => {
  const questions = ["Age", "sex", "AGE", "SEX", "sex"].map((name) => ({ type: "number", text: "?", name }));
  const built = buildQuestions([...questions, { type: "nothing", text: "?", name: "1" }], countingIds());
  expect(linesOf((built as { violations: [] }).violations).map((line) => line.slice(0, 60))).toEqual(
    [
      "questions.5.name must be a letter, then letters, digits and _",
      "questions.5.type must be one of short_text, long_text, number, multiple_choice, dropdo".slice(0, 60),
      "questions.2.name is the name of another element of the survey",
      "questions.3.name is the name of another element of the survey",
      "questions.4.name is the name of another element of the survey",
    ].map((line) => line.slice(0, 60)),
  );
});

test("as many are refused as have a name that came before", () => {
  const name = fc.option(fc.constantFrom("a", "A", "b", "B", "c"), { nil: undefined });
  fc.assert(
    fc.property(fc.array(name), fc.subarray(["a", "b"]), (names, taken) => {
      const elements = names.map((each, index) => ({ path: String(index), name: each }));
      const keys = names.flatMap((each) => (each === undefined ? [] : [nameKey(each)]));
      const left = new Set(keys.filter((key) => !taken.includes(key)));
      expect(nameViolations(elements, new Set(taken))).toHaveLength(keys.length - left.size);
    }),
  );
});

test("an edit gives, changes and removes a name, and leaves it where it names none", () => {
  const context = { newId: countingIds(), isAnswered: () => false, takenNames: new Set(["taken"]) };
  const edit = (question: ReturnType<typeof sampleQuestion>, body: object) => {
    const outcome = editElement("settings", question, { settings: {}, ...body }, context);
    if (!("question" in outcome)) throw new Error(JSON.stringify(outcome));
    return outcome.question;
  };
  const plain = sampleQuestion("rating");
  const named = edit(plain, { name: "stars" });
  expect(named).toEqual({ ...plain, name: "stars" });
  expect(edit(named, { questionText: "Well?" })).toEqual({ ...named, text: "Well?" });
  expect(edit(named, { name: "Points" }).name).toBe("Points");
  expect(edit(named, { name: null })).toEqual(plain);
  const refused = (name: unknown) => editElement("settings", named, { settings: {}, name }, context);
  expect(refused("TAKEN")).toEqual({
    violations: [{ path: "name", message: "is the name of another element of the survey" }],
  });
  expect(refused("no name")).toMatchObject({ violations: [{ path: "name" }] });
});
