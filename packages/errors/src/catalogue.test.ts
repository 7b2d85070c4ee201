import { expect, test } from "vitest";
import { errorCatalogue, isErrorCode } from "./index.ts";

test("every code is snake_case and says what went wrong and what to do in full sentences", () => {
  for (const [code, { message, suggestion, status }] of Object.entries(errorCatalogue)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(suggestion).toMatch(/^[A-Z].{10,}\.$/);
    expect(status).toBeGreaterThanOrEqual(400);
  }
});

test("the suggestion is a separate sentence, which mentions a retry if that helps", () => {
  for (const [code, { message, suggestion, retryable }] of Object.entries(errorCatalogue)) {
    expect(suggestion.split(" ").length, `of ${code}`).toBeGreaterThanOrEqual(6);
    expect(suggestion).not.toContain(message);
    if (retryable) expect(suggestion, `of ${code}`).toMatch(/\brepeat\b/i);
  }
});

test("inherited names are no codes", () => {
  expect(isErrorCode("constructor")).toBe(false);
  expect(isErrorCode("survey_not_found")).toBe(true);
});
