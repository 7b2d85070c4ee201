import fc from "fast-check";
import { expect, test } from "vitest";
import { makeDistinct } from "./make-distinct.ts";

const marked = (texts: readonly string[]) => makeDistinct(texts, (index) => `${texts[index]} [${index}]`);

test("equal texts are marked, others stay", () => {
  expect(marked(["Yes", "No", "Yes", ""])).toEqual(["Yes [0]", "No", "Yes [2]", ""]);
});

test("a text that equals a marked one is marked, too", () => {
  expect(marked(["Yes [2]", "Yes", "Yes"])).toEqual(["Yes [2] [0]", "Yes [1]", "Yes [2]"]);
});

test("all texts become distinct", () => {
  const text = fc.tuple(fc.constantFrom("", "a"), fc.array(fc.nat(3), { maxLength: 3 }));
  const texts = fc.array(text.map(([start, marks]) => [start, ...marks.map((mark) => `[${mark}]`)].join(" ")));
  fc.assert(
    fc.property(texts, (given) => {
      expect(new Set(marked(given)).size).toBe(given.length);
    }),
  );
});
