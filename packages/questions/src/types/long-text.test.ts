import { expect, test } from "vitest";
import { surprises, sampleQuestion } from "../../test/sample-question.ts";

test("takes text of several lines up to its length", () => {
  expect(
    surprises(sampleQuestion("long_text", { typeSettings: { minLength: 2, maxLength: 50_000 } }), {
      good: ["a\nb", "x".repeat(50_000)],
      bad: [
        ["a", "", "at least 2"],
        ["x".repeat(50_001), "", "at most 50000"],
        [true, "", "must be text"],
        ["ab\0", "", "NUL"],
      ],
    }),
  ).toEqual([]);
});
