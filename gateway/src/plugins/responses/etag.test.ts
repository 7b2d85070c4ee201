import { expect, test } from "vitest";
import { contentEtag, foreignTags, fulfilsIfMatch, matchesIfNoneMatch, parseEntityTags } from "./etag.ts";

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
])("the header %s is parsed into its entity tags", (header, tags) => {
  expect(parseEntityTags(header)).toEqual(tags);
});

test("If-None-Match ignores weakness and reads lists", () => {
  expect(matchesIfNoneMatch('W/"a"', '"a"')).toBe(true);
  expect(matchesIfNoneMatch('"b", "a"', '"a"')).toBe(true);
  expect(matchesIfNoneMatch("*", '"a"')).toBe(true);
  expect(matchesIfNoneMatch('"A"', '"a"')).toBe(false);
  expect(matchesIfNoneMatch("a", '"a"')).toBe(false);
});

test("If-Match compares strongly, and without a tag asks for nothing", () => {
  for (const header of ['"a"', '"b", "a"', "*", "", " "]) expect(fulfilsIfMatch(header, '"a"')).toBe(true);
  for (const header of ['W/"a"', '"b"', "a"]) expect(fulfilsIfMatch(header, '"a"')).toBe(false);
});

test("a tag that a proxy changed is explained, and no tag of this API is", () => {
  for (const own of [contentEtag("x"), '"z0y1x2w3v4u5t6s7"', "*"]) expect(foreignTags(own)).toBeUndefined();
  expect(foreignTags(`W/${contentEtag("x")}`)).toMatch(/weak/);
  expect(foreignTags('"0123456789abcdef-gzip"')).toMatch(/no tag of this API/);
});

test("each content has a strong ETag of its own", () => {
  expect(contentEtag("x")).toMatch(/^"[0-9a-f]{16}"$/);
  expect(contentEtag("x")).not.toBe(contentEtag("y"));
});
