import { errorCatalogue, type ErrorCode } from "@canvass/errors";
import { Type, type TSchema } from "typebox";
import { meta, named, words } from "./schema-parts.ts";
import { errorResponse } from "../errors/error-response.ts";
import { errorDetails, violationCodes } from "./error-details.ts";
import { pascalCase } from "./pascal-case.ts";
import { schemaReference } from "./name-schemas.ts";
import { exampleError } from "./example-error.ts";

const codes = Object.keys(errorCatalogue) as ErrorCode[];

const violations = Type.Unsafe<Record<string, string[]>>({
  type: "object",
  additionalProperties: { type: "array", items: { type: "string" } },
  description: "sentences, keyed by the path of the invalid value, such as `questions.2.choices.0`",
});

const withDetails: readonly string[] = [...Object.keys(errorDetails), ...violationCodes];
const plainCodes = codes.filter((code) => !withDetails.includes(code));

interface ErrorKind {
  title: string;
  ofCodes: readonly string[];
  details: TSchema;
}

const kinds: ErrorKind[] = [
  ...Object.entries(errorDetails).map(([code, details]) => {
    const name = pascalCase(code);
    return { title: `${name}Error`, ofCodes: [code], details: { ...details, title: `${name}Details` } };
  }),
  { title: "ViolationsError", ofCodes: violationCodes, details: violations },
  { title: "PlainError", ofCodes: plainCodes, details: Type.Unsafe({ type: "object", additionalProperties: true }) },
];

const infoSchema = ({ title, ofCodes, details }: ErrorKind) =>
  named(title, {
    code: words(ofCodes),
    message: Type.String({ description: "for people to read" }),
    suggestion: Type.String({ description: "what to do" }),
    retryable: Type.Boolean({ description: "whether the identical request may succeed later" }),
    details,
  });

const mapping = Object.fromEntries(
  kinds.flatMap(({ title, ofCodes }) => ofCodes.map((code) => [code, schemaReference(title).$ref])),
);

/** The error envelope of contract 1.3, with `details` by code. */
export const apiErrorSchema = named("ApiError", {
  success: Type.Literal(false),
  error: {
    title: "ErrorInfo",
    oneOf: kinds.map(infoSchema),
    discriminator: { propertyName: "code", mapping },
  },
  meta,
});

/**
 * The error envelope of one operation. Narrows the whole envelope, since generators lose `code` of a narrowed
 * `ErrorInfo`.
 */
export const failureSchema = (ofCodes: readonly ErrorCode[]) => ({
  allOf: [
    schemaReference("ApiError"),
    {
      type: "object",
      properties: { error: { type: "object", properties: { code: { type: "string", enum: ofCodes } } } },
    },
  ],
});

export function errorExamples(): Record<string, { summary: string; value: unknown }> {
  const at = new Date("2026-01-31T12:00:00.000Z");
  return Object.fromEntries(
    codes.map((code) => [
      code,
      {
        summary: `${errorCatalogue[code].status}: ${errorCatalogue[code].message}`,
        value: errorResponse(exampleError(code), "5f0c6b2e-8d2b-4c57-9c0a", at),
      },
    ]),
  );
}
