import { expect, test } from "vitest";
import { contentEtag, matchesIfNoneMatch, parseEntityTags } from "./etag.ts";

test.each([
  ["*", ["*"]],
  ['"a"', ['"a"']],
  ['"a","b"', ['"a"', '"b"']],
  ['  W/"a" ,\t"b, c"', ['W/"a"', '"b', 'c"']],
  ['"a,b"', ['"a,b"']],
  ['""', ['""']],
  ['unquoted, "x"', ["unquoted", '"x"']],
  ['"open', ['"open']],
  ["", []],
])("entity tags of %s", (header, tags) => {
  expect(parseEntityTags(header)).toEqual(tags);
});

test("If-None-Match ignores weakness and reads lists", () => {
  expect(matchesIfNoneMatch('W/"a"', '"a"')).toBe(true);
  expect(matchesIfNoneMatch('"b", "a"', '"a"')).toBe(true);
  expect(matchesIfNoneMatch("*", '"a"')).toBe(true);
  expect(matchesIfNoneMatch('"A"', '"a"')).toBe(false);
  expect(matchesIfNoneMatch("a", '"a"')).toBe(false);
});

test("content has a strong tag of its own", () => {
  expect(contentEtag("x")).toMatch(/^"[0-9a-f]{16}"$/);
  expect(contentEtag("x")).not.toBe(contentEtag("y"));
});
