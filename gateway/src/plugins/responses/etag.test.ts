import { contentTag } from "@canvass/values";
import { expect, test } from "vitest";
import { foreignTags, fulfilsIfMatch, ifMatchOf, matchesIfNoneMatch, parseEntityTags, yamlTag } from "./etag.ts";

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
  for (const own of [contentTag("x"), '"z0y1x2w3v4u5t6s7"', "*"]) expect(foreignTags(own)).toBeUndefined();
  expect(foreignTags(`W/${contentTag("x")}`)).toMatch(/weak/);
  expect(foreignTags('"0123456789abcdef-gzip"')).toMatch(/no tag of this API/);
});

test("a YAML representation has a tag of its own, by which If-Match finds the same revision", () => {
  const tag = contentTag("x");
  expect(yamlTag(tag)).not.toBe(tag);
  expect(foreignTags(yamlTag(tag))).toBeUndefined();
  const given = `${yamlTag(tag)}, "b", W/${yamlTag(tag)}`;
  expect(ifMatchOf({ headers: { "if-match": given } })).toEqual([tag, '"b"', `W/${tag}`]);
  expect(ifMatchOf({ headers: { "if-match": "*" } })).toEqual(["*"]);
});
