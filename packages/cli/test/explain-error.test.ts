import { CanvassError } from "@canvass/sdk";
import { expect, test } from "vitest";
import { explainError } from "../src/session/explain-error.ts";

test("details that a suggestion names are shown with their values", () => {
  const refusal = new CanvassError({
    code: "insufficient_scope",
    message: "The token lacks the scope.",
    suggestion: "Use a token that has the scope `details.required_scope`.",
    retryable: false,
    details: { required_scope: "responses:read" },
  } as never);
  expect(explainError(refusal)).toMatchObject({
    message: expect.stringContaining("has the scope `details.required_scope` (responses:read)."),
  });
});

test("the remedy for an invalid token names the login and the variable", () => {
  const told = { code: "invalid_token", message: "The API token is not valid.", suggestion: "Use another." };
  const error = new CanvassError({ ...told, retryable: false, details: {} } as never, { status: 401 });
  const remedy = "Log in with another token (canvass login), or replace CANVASS_TOKEN.";
  expect(explainError(error)).toMatchObject({ message: `The API token is not valid. ${remedy}` });
});
