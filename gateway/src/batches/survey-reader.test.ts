import fc from "fast-check";
import { expect, test } from "vitest";
import { deduplicate } from "./survey-reader.ts";

test("for any reads, equal ones are sent once and every index leads to an equal read", () => {
  const text = fc.constantFrom("a", "b", "c", "__proto__");
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ caller: text, workspaceId: fc.constant("w"), surveyId: text, requestId: fc.constant("r") }),
        { maxLength: 40 },
      ),
      (reads) => {
        const { distinct, indexes } = deduplicate(reads);
        expect(indexes.map((index) => distinct[index])).toEqual(reads);
        expect(new Set(distinct.map(({ caller, surveyId }) => `${caller}/${surveyId}`)).size).toBe(distinct.length);
      },
    ),
  );
});
