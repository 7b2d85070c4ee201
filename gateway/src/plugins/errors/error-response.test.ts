import { expect, test } from "vitest";
import { AppError, type ErrorDetails } from "@canvass/errors";
import { errorHeaders } from "./error-response.ts";

const at = new Date("2026-03-01T12:00:00.000Z");

test.each<[string, ErrorDetails, string]>([
  ["whole seconds", { expiresAt: "2026-03-01T12:00:15.000Z" }, "15"],
  ["a second that has begun", { expiresAt: "2026-03-01T12:00:14.001Z" }, "15"],
  ["a lease that has just ended", { expiresAt: "2026-03-01T11:59:59.000Z" }, "1"],
  ["a lock that was gone as it was looked at", {}, "1"],
])("a locked survey tells for how long: %s", (_, details, seconds) => {
  expect(errorHeaders(new AppError("survey_locked", details), at)).toEqual({ "retry-after": seconds });
});

test("a refused permit returns when to retry, without changing the times of rate limits", () => {
  const full = new AppError("rate_limited", { waiting_exports: 10 });
  expect(errorHeaders(full, at)).toEqual({ "retry-after": "10" });
  expect(errorHeaders(new AppError("rate_limited", { waiting_imports: 10 }), at)).toEqual({ "retry-after": "10" });
  const unanswered = new AppError("rate_limited", { unanswered_files: 50, unanswered_bytes: 1_000 });
  expect(errorHeaders(unanswered, at)).toEqual({ "retry-after": "60" });
  expect(errorHeaders(new AppError("rate_limited", { concurrent_tests: 3 }), at)).toEqual({ "retry-after": "10" });
  expect(errorHeaders(new AppError("rate_limited", { open_ranges: 20 }), at)).toEqual({ "retry-after": "60" });
  for (const counted of [
    "concurrent_streams",
    "concurrent_reports",
    "concurrent_uploads",
    "concurrent_files",
    "concurrent_unread_bytes",
    "concurrent_computations",
    "held_characters",
  ]) {
    expect(errorHeaders(new AppError("rate_limited", { [counted]: 2 }), at)).toEqual({ "retry-after": "1" });
  }
  expect(errorHeaders(new AppError("rate_limited"), at)).toEqual({});
});
