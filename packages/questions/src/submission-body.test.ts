import { shapeViolations } from "@canvass/inputs";
import { expect, test } from "vitest";
import { submissionBody } from "./submission-body.ts";

test("a violation of an id names what the id is of", () => {
  const body = { respondentId: 1, responses: [{ elementId: "", value: 1 }], pageId: 5 };
  expect(shapeViolations(submissionBody, body).map(({ path, message }) => `${path} ${message}`)).toEqual([
    "respondentId must be the id of a respondent",
    "responses.0.elementId must be the id of an element",
    "pageId must be the id of a page or null",
  ]);
});
