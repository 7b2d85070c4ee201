import { expect, test } from "vitest";
import { surprises, sampleQuestion } from "../../test/sample-question.ts";
import { statement } from "./statement.ts";

test("takes no answer at all, not even null", () => {
  const question = sampleQuestion("statement");
  expect(
    surprises(question, {
      good: [],
      bad: [null, "", true, {}].map((value) => [value, "", "takes no answer"] as const),
    }),
  ).toEqual([]);
  expect(statement.isEmpty(null)).toBe(false);
  expect(statement.exportColumns(question)).toEqual([]);
});
