import fc from "fast-check";
import { expect, test } from "vitest";
import { variableName } from "./variable-names.ts";

const id = fc.stringMatching(/^[a-z0-9]{16}$/);
const columnId = fc
  .tuple(id, fc.option(id), fc.array(id, { maxLength: 2 }))
  .map(([questionId, item, parts]) => [item === null ? questionId : `${questionId}:${item}`, ...parts].join("."));

test("a name is made of the whole id alone, and fits", () => {
  fc.assert(
    fc.property(fc.uniqueArray(columnId, { minLength: 2, maxLength: 2 }), ([one, other]) => {
      expect(variableName(one!)).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,63}$/);
      expect(variableName(one!).toLowerCase()).not.toBe(variableName(other!).toLowerCase());
    }),
  );
  // The ids of two cells of a matrix on a repeated page differ only at the end.
  const cell = (column: string) => `${"q".repeat(16)}:${"i".repeat(16)}.${"r".repeat(16)}.${column.padEnd(16, "0")}`;
  expect(variableName(cell("a"))).not.toBe(variableName(cell("b")));
});

test("attributes of contacts get unique names", () => {
  const names = ["job", "Job", "a b", "a_b", "a.b", "größe", "grüße", "x\ny"].map((name) =>
    variableName(`contact.attributes.${name}`),
  );
  expect(names.slice(0, 1)).toEqual(["contact_attributes_job"]);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^contact_attributes_\w+$/);
});

test("a name is the same as in earlier exports", () => {
  expect(variableName("startedAt")).toBe("startedAt");
  expect(variableName("1a2b3c4d5e6f7g8h")).toBe("q_1a2b3c4d5e6f7g8h");
  expect(variableName("1a2b3c4d5e6f7g8h.otherText")).toBe("q_1a2b3c4d5e6f7g8h_otherText");
});
