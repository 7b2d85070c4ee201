import { errorCatalogue, type ErrorCode } from "@canvass/errors";
import { Type, type TProperties } from "typebox";

/** One of the words. */
export const words = <Word extends string>(of: readonly Word[], options: object = {}) =>
  Type.Unsafe<Word>({ type: "string", enum: [...of], ...options });

/** One of the words, or null. */
export const nullableWords = <Word extends string>(of: readonly Word[], options: object = {}) =>
  Type.Unsafe<Word | null>({ type: ["string", "null"], enum: [...of, null], ...options });

/** A value or null, in the form that serializes fastest. */
export const nullable = <Value>(type: "string" | "integer" | "number", options: object = {}) =>
  Type.Unsafe<Value | null>({ ...options, type: [type, "null"] });

export const errorCode = Type.Unsafe<ErrorCode>({
  title: "ErrorCode",
  type: "string",
  enum: Object.keys(errorCatalogue),
});

export const named = <Properties extends TProperties>(title: string, properties: Properties, options: object = {}) =>
  Type.Object(properties, { ...options, title });

const metaFields = {
  timestamp: Type.String({ description: "date-time (ISO 8601) of the response" }),
  version: Type.String({ examples: ["1.0"] }),
  requestId: Type.String({ description: "the same as the X-Request-Id header" }),
};

export const meta = named("Meta", {
  ...metaFields,
  etag: Type.Optional(Type.String({ description: "the same as the ETag header" })),
});
