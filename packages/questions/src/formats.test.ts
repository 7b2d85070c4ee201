import { expect, test } from "vitest";
import { isPlainWebUrl } from "./formats.ts";

test.each([
  ["https://example.com", true],
  ["http://example.com:8080/a?b={c}#d", true],
  ["https://例え.jp/", true],
  ["https://example.com/a@b", true],
  ["https://example.com./a..b", true],
  ["https://a..com/", false],
  ["https://.example.com/", false],
  ["javascript:alert(1)", false],
  ["https:evil.example", false],
  ["https:///evil.example", false],
  ["https://\\evil.example", false],
  ["https://good.example\\@evil.example", false],
  ["https://good.example@evil.example", false],
  ["https://:secret@evil.example", false],
  ["https://example.com/\u202egnp", false],
  ["https://ev\u200bil.example", false],
  ["https://evil.example\u0000", false],
  ["https://ev\til.example", false],
])("%j leads where it seems to: %s", (address, holds) => {
  expect(isPlainWebUrl(address)).toBe(holds);
});
