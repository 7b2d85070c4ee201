import { expect, test } from "vitest";
import { buildQuestions } from "../new-questions.ts";
import { countingIds, surprises, sampleQuestion } from "../../test/sample-question.ts";
import { shortText } from "./short-text.ts";

const text = (typeSettings: Record<string, unknown>) => sampleQuestion("short_text", { typeSettings });

test("takes text within its length, counted in characters as people see them", () => {
  expect(
    surprises(sampleQuestion("short_text"), {
      good: ["a", "x".repeat(1_000), "😀".repeat(1_000), "naïve 日本"],
      bad: [
        [1, "", "must be text"],
        [["a"], "", "must be text"],
        [{}, "", "must be text"],
        ["x".repeat(1_001), "", "at most 1000"],
        ["😀".repeat(1_001), "", "at most 1000"],
        ["x".repeat(1_000_000), "", "at most 1000"],
        ["a\0b", "", "NUL"],
        ["\ud800", "", "surrogate"],
      ],
    }),
  ).toEqual([]);
  expect(
    surprises(text({ minLength: 3, maxLength: 3 }), {
      good: ["abc", "😀😀😀"],
      bad: [
        ["ab", "", "at least 3"],
        ["😀😀", "", "at least 3"],
        ["abcd", "", "at most 3"],
      ],
    }),
  ).toEqual([]);
});

test("checks formats", () => {
  expect(
    surprises(text({ format: "email" }), {
      good: ["a@b.co", "first.last+tag@sub.example.org", "jürgen@müller.example"],
      bad: ["a", "a@b", "@b.co", "a@.co", "a b@c.de", "a@b..co", "a@b.co\n", ".a@b.co", "a@-b.co"].map(
        (value) => [value, "", "e-mail"] as const,
      ),
    }),
  ).toEqual([]);
  expect(
    surprises(text({ format: "url" }), {
      good: ["https://example.org", "http://a.b/c?d=e#f", "https://[::1]:8080/"],
      bad: ["example.org", "ftp://a.b", "javascript:alert(1)", "https://", "https://a b", "//a.b"].map(
        (value) => [value, "", "a URL"] as const,
      ),
    }),
  ).toEqual([]);
  expect(
    surprises(text({ format: "phone" }), {
      good: ["+49 30 1234567", "(030) 12-34.56", "1234"],
      bad: ["123", "12a45", "+1234567890123456", "++1234", "()"].map((value) => [value, "", "phone"] as const),
    }),
  ).toEqual([]);
});

test("a pattern is found anywhere unless it is anchored", () => {
  expect(surprises(text({ pattern: "\\d{3}" }), { good: ["x123y"], bad: [["x12y", "", "must match"]] })).toEqual([]);
  expect(surprises(text({ pattern: "^[A-Z]{2}$" }), { good: ["AB"], bad: [["ABC", "", "must match"]] })).toEqual([]);
  expect(surprises(text({ pattern: "^\\p{L}+$" }), { good: ["Žluť"], bad: [["a1", "", "must match"]] })).toEqual([]);
});

test("names everything that is wrong with a text", () => {
  const question = text({ minLength: 5, maxLength: 9, format: "email", pattern: "^x" });
  const messages = (value: unknown) => shortText.checkValue(question, value).map(({ message }) => message);
  expect(messages("a\0")).toEqual([
    "must have at least 5 characters",
    expect.stringContaining("NUL"),
    "must be an e-mail address",
    "must match ^x",
  ]);
  expect(messages("a".repeat(10))).toEqual([
    "must have at most 9 characters",
    "must be an e-mail address",
    "must match ^x",
  ]);
  expect(messages("a".repeat(8_001))).toEqual(["must have at most 9 characters"]);
});

test("format and pattern must both hold", () => {
  expect(
    surprises(text({ format: "email", pattern: "@example\\.org$" }), {
      good: ["a@example.org"],
      bad: [
        ["a@example.com", "", "must match"],
        ["a b@example.org", "", "e-mail"],
      ],
    }),
  ).toEqual([]);
});

// A backtracking engine would not end. short-text.nightly.ts measures the time.
test.each(["(a+)+$", "(a|a)+$", "(.*)*x$"])("the pattern %s is tried to its end on hostile text", (pattern) => {
  const question = text({ pattern, maxLength: 4_000 });
  const value = `${"a".repeat(3_900)}!`;
  expect(surprises(question, { good: [], bad: [[value, "", "must match"]] })).toEqual([]);
});

test.each([
  [{ pattern: "(" }, "pattern", "not a pattern"],
  [{ pattern: "(?=a)" }, "pattern", "not a pattern"],
  [{ pattern: "(a)\\1" }, "pattern", "not a pattern"],
  [{ pattern: "((a{1,50}){1,50}){1,50}" }, "pattern", "not a pattern"],
  [{ pattern: "[a-z]{900}" }, "pattern", "too complicated"],
  [{ pattern: "" }, "pattern", "text of 1 to 500"],
  [{ minLength: 5, maxLength: 4 }, "minLength", "greater than maxLength"],
  [{ minLength: -1 }, "minLength", "whole number"],
  [{ maxLength: 4_001 }, "maxLength", "whole number"],
  [{ maxLength: "9" }, "maxLength", "whole number"],
  [{ format: "ipv4" }, "format", "email, url, phone"],
  [{ colour: "red" }, "colour", "not a known field"],
])("the settings %j are refused", (typeSettings, path, words) => {
  const result = buildQuestions([{ type: 1, text: "What?", typeSettings }], countingIds());
  expect(result).toEqual({
    violations: [{ path: `questions.0.typeSettings.${path}`, message: expect.stringContaining(words) }],
  });
});
