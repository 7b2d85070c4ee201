import fc from "fast-check";
import { expect, test } from "vitest";
import { deduplicate } from "./survey-reader.ts";

test("for any questions, each is asked once and every index leads back to its own", () => {
  const text = fc.constantFrom("a", "b", "c", "__proto__");
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ caller: text, workspaceId: fc.constant("w"), surveyId: text, requestId: fc.constant("r") }),
        { maxLength: 40 },
      ),
      (questions) => {
        const { distinct, indexes } = deduplicate(questions);
        expect(indexes.map((index) => distinct[index])).toEqual(questions);
        expect(new Set(distinct.map(({ caller, surveyId }) => `${caller}/${surveyId}`)).size).toBe(distinct.length);
      },
    ),
  );
});
