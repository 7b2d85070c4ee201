import fc from "fast-check";
import { expect, test } from "vitest";
import { finish } from "./finish.ts";
import { readingDefinition } from "./read-definition.ts";

/** Texts that imitate the end of a string, a list or a chunk. */
const text = fc.oneof(
  fc.string(),
  fc
    .array(fc.constantFrom('"', "\\", '\\"', "[", "]", "{", "}", ",", '"elements": [', "elements", "é", "𝕊"))
    .map((parts) => parts.join("")),
);
const element = fc.record({
  elementId: fc.string(),
  text,
  choices: fc.array(fc.record({ id: text, elements: fc.array(text) }), { maxLength: 3 }),
});
const page = fc.record({
  loop: fc.option(fc.record({ elementId: text, elements: fc.array(text) })),
  title: text,
  elements: fc.array(element, { maxLength: 5 }),
  skipLogic: fc.array(fc.record({ goTo: text, elements: fc.array(text, { maxLength: 2 }) }), { maxLength: 2 }),
});

test.each([undefined, 1])("a definition read in chunks is what JSON.parse makes of it, indented by %s", (indent) => {
  fc.assert(
    fc.property(fc.array(page, { maxLength: 4 }), fc.integer({ min: 1, max: 200 }), (pages, chunk) => {
      const json = JSON.stringify({ pages }, undefined, indent);
      expect(finish(readingDefinition(json, chunk))).toEqual(JSON.parse(json));
    }),
    { numRuns: 500 },
  );
});

test("a long one arrives in many chunks, and a truncated one is refused", () => {
  const elements = Array.from({ length: 3000 }, (_, at) => ({ elementId: `${at}`, text: "x".repeat(1000) }));
  const json = JSON.stringify({ pages: [{ title: "", elements }] });
  expect([...readingDefinition(json)].length).toBeGreaterThan(25);
  for (const length of [json.length - 1, json.length - 500, 1_000_000]) {
    expect(() => finish(readingDefinition(json.slice(0, length)))).toThrow(SyntaxError);
  }
});
