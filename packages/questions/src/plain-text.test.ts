import { expect, test } from "vitest";
import { checkText, isEmptyText } from "./plain-text.ts";

test("text that shows nothing takes an answer back", () => {
  expect(["", " \u00a0", "\u200b\ufeff", "a", "\u200b."].map(isEmptyText)).toEqual([true, true, true, false, false]);
});

test.each([" \0", "\ud800", "\u200b\udc00"])("%j is refused and takes no answer back", (text) => {
  expect(isEmptyText(text)).toBe(false);
  expect(checkText(text, 0, 10)).toMatchObject([{ message: expect.stringContaining("NUL") }]);
});

test.each([0, 1, [], {}, false])("%j is no text, so it takes no answer back", (value) => {
  expect(isEmptyText(value)).toBe(false);
});

test("text that must be there must show something", () => {
  expect(checkText("\u200b ", 1, 10)).toEqual([{ path: "", message: "must not be blank" }]);
  expect(checkText("\u200b ", 0, 10)).toEqual([]);
});
