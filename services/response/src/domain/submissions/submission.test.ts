import fc from "fast-check";
import { AppError } from "@canvass/errors";
import { validationFailed } from "@canvass/inputs";
import { expect, test } from "vitest";
import { parseLinkSubmission, parseSubmission, readBatchItem } from "./submission.ts";

/** Returns the error that it throws, or its violations as an error. */
const refused = (body: unknown): AppError => {
  try {
    return validationFailed(parseSubmission(JSON.stringify(body)).violations ?? []);
  } catch (error) {
    return error as AppError;
  }
};
const one = [{ elementId: "e", value: 1 }];

test.each([
  ["no respondent", { responses: one }, "invalid_request", ["respondentId"]],
  [
    "no respondent, and more",
    { respondentId: "", responses: [{ value: 1 }], extra: 1 },
    "invalid_request",
    ["extra", "respondentId", "responses.0.elementId"],
  ],
  ["respondent of the wrong type", { respondentId: 5, responses: one }, "validation_failed", ["respondentId"]],
  ["NUL in the respondent's id", { respondentId: "r\u0000", responses: one }, "validation_failed", ["respondentId"]],
  ["no answers", { respondentId: "r" }, "validation_failed", ["responses"]],
  ["an empty list", { respondentId: "r", responses: [] }, "validation_failed", ["responses"]],
  ["answers that are no list", { respondentId: "r", responses: {} }, "validation_failed", ["responses"]],
  [
    "all at once",
    { respondentId: "r", responses: [{ elementId: 1 }, 2, { elementId: "e", value: 1, more: 1 }], pageId: 3, extra: 1 },
    "validation_failed",
    ["extra", "pageId", "responses.0.elementId", "responses.0.value", "responses.1", "responses.2.more"],
  ],
  [
    "too large a meta",
    { respondentId: "r", responses: [{ ...one[0], meta: { a: "x".repeat(5000) } }] },
    "validation_failed",
    ["responses.0.meta"],
  ],
  [
    "NUL in metadata",
    { respondentId: "r", responses: one, metadata: { "a\u0000": 1 } },
    "validation_failed",
    ["metadata"],
  ],
  [
    "no usable respondent and no answers, and more",
    { respondentId: "r\u0000", responses: 1, metadata: { a: "x".repeat(5000) }, pageId: 3 },
    "validation_failed",
    ["metadata", "pageId", "respondentId", "responses"],
  ],
  [
    "metadata.complete that is neither true nor false",
    { respondentId: "r", responses: one, metadata: { complete: "false", more: 1 } },
    "validation_failed",
    ["metadata.complete"],
  ],
  ["too many answers", { respondentId: "r", responses: Array(501).fill(one[0]) }, "validation_failed", ["responses"]],
])("%s is refused with all violations of the shape", (_name, body, code, places) => {
  const { code: actual, details } = refused(body);
  expect(actual).toBe(code);
  expect(Object.keys(details).sort()).toEqual(places);
});

test.each([true, false, null])("metadata.complete may be %s beside members of any name", (complete) => {
  const body = { respondentId: "r", responses: one, metadata: { complete, more: 1 } };
  expect(parseSubmission(JSON.stringify(body))).toEqual(body);
});

test.each(["true", "yes", 0, 1, {}])("metadata.complete %j is refused in a batch and by a link, too", (complete) => {
  const body = { responses: one, metadata: { complete } };
  const violations = [{ path: "metadata.complete", message: "must be true or false" }];
  expect(readBatchItem({ respondentId: "r", ...body }).body.violations).toEqual(violations);
  expect(parseLinkSubmission(JSON.stringify(body), "r").violations).toEqual(violations);
});

test("well-formed items next to invalid ones keep their index for validation", () => {
  const responses = [one[0], { elementId: "f" }, { ...one[0], meta: 1, more: 1 }, { elementId: 1, value: null }];
  const { violations, ...body } = parseSubmission(
    JSON.stringify({ respondentId: "r", responses, pageId: 3, metadata: {}, extra: 1 }),
  );
  expect(body).toEqual({
    respondentId: "r",
    responses: [one[0], { elementId: "f", value: undefined }, one[0], null],
    metadata: {},
  });
  expect(violations?.map(({ path }) => path).sort()).toEqual([
    "extra",
    "pageId",
    "responses.1.value",
    "responses.2.meta",
    "responses.2.more",
    "responses.3.elementId",
  ]);
});

test("a backslash before a u in text is only text", () => {
  const body = { respondentId: "r", responses: one, metadata: { a: "\\u0000" } };
  expect(parseSubmission(JSON.stringify(body))).toEqual(body);
});

test("for any JSON it throws nothing but an AppError", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (responses, metadata) => {
      for (const body of [responses, { respondentId: "r", responses, metadata }]) {
        try {
          parseSubmission(JSON.stringify(body));
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }
    }),
  );
});
