import { expect, test } from "vitest";
import { contentTag, entityTag, ifMatchAllows } from "./entity-tag.ts";

test("a tag is strong, and another one for every kind, id and revision", () => {
  const tags = [
    entityTag("survey", "a", 1),
    entityTag("survey", "a", 2),
    entityTag("survey", "b", 1),
    entityTag("page", "a", 1),
  ];
  expect(new Set(tags).size).toBe(4);
  for (const tag of tags) expect(tag).toMatch(/^"[0-9a-f]{16}"$/);
});

test("each content has a strong tag of its own", () => {
  expect(contentTag("x")).toMatch(/^"[0-9a-f]{16}"$/);
  expect(contentTag("x")).not.toBe(contentTag("y"));
});

test.each([
  [["*"], true],
  [['"a"'], true],
  [['"b"', '"a"'], true],
  [['"b"'], false],
  [['W/"a"'], false],
  [["a"], false],
  [["*", '"b"'], false],
  [["*", "*"], false],
  [["*", '"a"'], true],
  [[], false],
])("If-Match %j allows the write: %s", (ifMatch, allowed) => {
  expect(ifMatchAllows(ifMatch, '"a"')).toBe(allowed);
});
