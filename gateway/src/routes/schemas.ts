import { Type, type Static, type TProperties, type TSchema } from "typebox";

/** An id in a path. The edge checks, not the schema, refuse a malformed one. */
export const idParam = (description: string) => Type.String({ description });

export const id = Type.String({ description: "16 lower-case letters and digits", examples: ["01h8x3k9q2m4a7zp"] });

export const dateTime = Type.String({ format: "date-time" });

/** A value or null, in the form that serializes fastest. */
export const nullable = <Value>(type: "string" | "integer" | "number", options: object = {}) =>
  Type.Unsafe<Value | null>({ ...options, type: [type, "null"] });

export const nullableText = nullable<string>("string");
export const nullableDateTime = nullable<string>("string", { description: "date-time (ISO 8601)" });

export const named = <Properties extends TProperties>(title: string, properties: Properties, options: object = {}) =>
  Type.Object(properties, { ...options, title });

interface BodyExample<Body> {
  summary: string;
  value: Body;
}

/** The docs page fills in the first example, so it should work. */
export const withExamples = <Body extends TSchema>(
  body: Body,
  examples: Record<string, BodyExample<Static<Body>>>,
): Body => ({ ...body, "x-examples": examples });

const metaFields = {
  timestamp: Type.String({ description: "date-time (ISO 8601) of the answer" }),
  version: Type.String({ examples: ["1.0"] }),
  requestId: Type.String({ description: "the same as the X-Request-Id header" }),
};

export const meta = named("Meta", {
  ...metaFields,
  etag: Type.Optional(Type.String({ description: "the same as the ETag header" })),
});

/** The success envelope around the data (contract 1.1). */
export const envelope = (description: string, data: TSchema) =>
  Type.Object({ success: Type.Boolean({ const: true }), data, meta }, { description });
