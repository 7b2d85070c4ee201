import { AppError } from "@canvass/errors";
import { expect, test } from "vitest";
import { asNpsRefusal, parseNpsSubmission } from "./nps-submission.ts";

test("a score becomes one answer, and its comment the answer's meta", () => {
  const [elementId, respondentId] = ["element000000000", "respondent000000"];
  const read = (body: object) => parseNpsSubmission(JSON.stringify(body), elementId);
  expect(read({ respondentId, score: 9, comment: "ok" })).toEqual({
    respondentId,
    responses: [{ elementId, type: "nps", value: 9, meta: { comment: "ok" } }],
  });
  expect(read({ respondentId, score: null })).toEqual({
    respondentId,
    responses: [{ elementId, type: "nps", value: null }],
  });
  const details = { respondentId: [expect.any(String)], score: [expect.any(String)], more: [expect.any(String)] };
  expect(() => read({ score: 11, more: 1 })).toThrow(expect.objectContaining({ code: "validation_failed", details }));
});

test("violations of the submission are reported at the fields of the NPS body", () => {
  const details = { "responses.0.value": ["a"], "responses.0.meta": ["b"], respondentId: ["c"], "responses.0": ["d"] };
  expect(asNpsRefusal(new AppError("validation_failed", details)).details).toEqual({
    score: ["a"],
    comment: ["b"],
    respondentId: ["c"],
    elementId: ["d"],
  });
  const other = new AppError("respondent_not_found");
  expect(asNpsRefusal(other)).toBe(other);
});
