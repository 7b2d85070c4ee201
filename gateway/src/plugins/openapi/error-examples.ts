import { errorCatalogue, type ErrorCode } from "@canvass/errors";
import { errorResponse } from "../errors/error-response.ts";
import { typicalError } from "./typical-error.ts";

export function errorExamples(): Record<string, { summary: string; value: unknown }> {
  const at = new Date("2026-01-31T12:00:00.000Z");
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  return Object.fromEntries(
    codes.map((code) => [
      code,
      {
        summary: errorCatalogue[code].message,
        value: errorResponse(typicalError(code), "5f0c6b2e-8d2b-4c57-9c0a", at),
      },
    ]),
  );
}

/** The error envelope of contract 1.3. */
export const errorSchema = {
  title: "Error",
  type: "object",
  required: ["success", "error", "meta"],
  properties: {
    success: { type: "boolean", const: false },
    error: {
      type: "object",
      required: ["code", "message", "suggestion", "retryable", "details"],
      properties: {
        code: { type: "string", enum: Object.keys(errorCatalogue) },
        message: { type: "string" },
        suggestion: { type: "string", description: "what to do" },
        retryable: { type: "boolean", description: "whether the identical request may succeed later" },
        details: { type: "object", additionalProperties: true, description: "specific to the code" },
      },
    },
    meta: { $ref: "#/components/schemas/Meta" },
  },
};
