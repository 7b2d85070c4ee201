import type { ErrorCode } from "@canvass/errors";
import type { Operation } from "./complete-document.ts";
import { failureSchema } from "./error-schemas.ts";
import { addSchema, type Schemas } from "./name-schemas.ts";
import { pascalCase } from "./pascal-case.ts";
import { headerReferences, type HeaderName } from "./response-headers.ts";

type Json = Record<string, unknown>;

/** Adds headers to the successes of an operation, and the responses 304 and `default`, the failure. */
export function completeResponses(method: string, operation: Operation, schemas: Schemas): void {
  const { responses, operationId, "x-answer-headers": names = [] } = operation;
  const { "x-error-codes": codes = [], "x-own-error-codes": own = [] } = operation;
  for (const [status, success] of Object.entries(responses)) {
    const more: HeaderName[] = status === "201" || status === "202" ? [...names, "Location"] : names;
    for (const { schema } of Object.values((success["content"] ?? {}) as Record<string, { schema?: Json }>)) {
      if (schema?.["description"] === success["description"]) delete schema?.["description"];
    }
    success["headers"] = { ...(success["headers"] as Json | undefined), ...headerReferences(more) };
  }
  if (method === "get" && names.includes("ETag")) responses["304"] = { $ref: "#/components/responses/NotModified" };
  const name = `${pascalCase(operationId)}Failure`;
  responses["default"] = failure(addSchema(name, failureSchema(codes), schemas), own);
  for (const key of ["x-error-codes", "x-own-error-codes", "x-answer-headers"] as const) delete operation[key];
}

/** Its examples are the operation's own errors, without those of every operation. */
function failure(schema: Json, own: readonly ErrorCode[]): Json {
  const shown = own.length === 0 ? (["internal_error"] as const) : own;
  return {
    description: "The operation was refused or failed; `error.code` gives the reason",
    headers: headerReferences(["X-Request-Id", "Retry-After"]),
    content: {
      "application/json": {
        schema,
        examples: Object.fromEntries(shown.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** Responses that several operations share. */
export const sharedResponses = {
  NotModified: {
    description: "You have the current version",
    headers: headerReferences(["X-Request-Id", "RateLimit", "RateLimit-Policy", "ETag"]),
  },
};
