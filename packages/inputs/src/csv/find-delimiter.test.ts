import { expect, test } from "vitest";
import { findDelimiter, readDelimiter } from "./find-delimiter.ts";

test("the most frequent delimiter outside of quotes in the first line that has one", () => {
  expect(findDelimiter('\n"a,b,c";d\n1,2,3')).toBe(";");
  expect(findDelimiter("a\tb,c\td")).toBe("\t");
  expect(findDelimiter("email\nada@example.org")).toBe(",");
});

test("a file is not read to its end for one", () => {
  expect(findDelimiter(`${"\n".repeat(100_000)}a;b`)).toBe(",");
});

test.each(["sep=|\n", "sep=|\r\n", '"sep=|"\r\n', '"SEP=|"\n'])("a line with the information is parsed: %j", (line) => {
  expect(readDelimiter(`${line}a;b|c`)).toEqual({ text: "a;b|c", delimiter: "|", linesBefore: 1 });
});
