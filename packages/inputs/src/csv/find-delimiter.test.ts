import { expect, test } from "vitest";
import { findDelimiter, readDelimiter } from "./find-delimiter.ts";

test("the delimiter is the most frequent one outside of quotes in the first line that has any, else a comma", () => {
  expect(findDelimiter('\n"a,b,c";d\n1,2,3')).toBe(";");
  expect(findDelimiter("a\tb,c\td")).toBe("\t");
  expect(findDelimiter("email\nada@example.org")).toBe(",");
});

test("a delimiter after the first 65,536 characters is not found", () => {
  expect(findDelimiter(`${"\n".repeat(100_000)}a;b`)).toBe(",");
});

test.each(["sep=|\n", "sep=|\r\n", '"sep=|"\r\n', '"SEP=|"\n'])("a declared delimiter is used: %j", (line) => {
  expect(readDelimiter(`${line}a;b|c`)).toEqual({ text: "a;b|c", delimiter: "|", linesBefore: 1 });
});
