import { AppError } from "@canvass/errors";
import { groupViolations } from "@canvass/inputs";
import { expect, test } from "vitest";
import { toErrorDetail } from "./error-conversion.ts";
import { cutDetails } from "./cut-details.ts";

const bytesOf = (details: object) => Buffer.byteLength(JSON.stringify(details));
const faultyDetails = (count: number, message: string) =>
  groupViolations(Array.from({ length: count }, (_, index) => ({ path: `questions.${index}`, message })));

test("details that fit are unchanged, including empty ones and those without a JSON form", () => {
  for (const details of [
    {},
    { limit: 10, plan: null, missing: undefined, changes: [] },
    faultyDetails(500, "is required"),
  ]) {
    expect(cutDetails(details)).toBe(details);
  }
});

test("a list is cut between items, and other values are unchanged", () => {
  const changes = Array.from({ length: 9000 }, (_, index) => ({ path: `a.${index}`, kind: "breaking" }));
  const cut = cutDetails({ changes, kinds: [], required_plan: "starter", limit: 10 });
  expect(cut).toMatchObject({ kinds: [], required_plan: "starter", limit: 10 });
  const kept = cut["changes"] as unknown[];
  expect(kept.length).toBeGreaterThan(500);
  expect(kept).toEqual(changes.slice(0, kept.length));
  expect(cut["…"]).toEqual([`${9000 - kept.length} more are left out here`]);
});

test("one thing too large is left out and counted", () => {
  expect(cutDetails({ text: "x".repeat(50_000) })).toEqual({ "…": ["1 more are left out here"] });
});

test.each([
  ["many places", faultyDetails(5000, "\u0001ü")],
  ["many faults of one place", { name: Array.from({ length: 50_000 }, () => "must be text") }],
  ["a place named as the note", { "…": Array.from({ length: 5000 }, () => "is not a known field") }],
  ["a value named as the note", { "…": "x", list: Array.from({ length: 50_000 }, () => null) }],
  ["places that are no ordinary keys", { ["__proto__"]: ["x".repeat(30_000), "y".repeat(30_000)] }],
  ["just too much for the note beside it", { a: ["x".repeat(39_950)], b: ["x".repeat(60)] }],
])("%s: what is cut fits, and is not cut again", (_what, details) => {
  const cut = cutDetails(details);
  expect(bytesOf(cut)).toBeLessThanOrEqual(40_000);
  expect(JSON.stringify(cut["…"])).toContain("more are left out here");
  expect(cutDetails(cut)).toBe(cut);
});

test("details of one item of a batch are cut to what lets all items fit into a response", () => {
  const { detailsJson } = toErrorDetail(new AppError("validation_failed", faultyDetails(50_000, "is wrong")));
  expect(Buffer.byteLength(detailsJson)).toBeLessThanOrEqual(100_000);
});
