import { languageTagPattern } from "@canvass/inputs";
import { Type, type Static, type TProperties, type TSchema } from "typebox";

/** An id in a path. Whether it has the form of one is judged with its existence, not by the schema. */
export const idParam = (description: string) => Type.String({ description });

export const idPattern = "^[a-z0-9]{16}$";

/** An id in a body. */
export const reference = (description: string) => Type.String({ pattern: idPattern, description });

/** The place of a question or page in the survey that a respondent answers: on a page that repeats with its choice. */
export const placePattern = "^[a-z0-9]{16}(:[a-z0-9]{16})?$";

const control = "\\u0000-\\u001f\\u007f-\\u009f";

/** A name in one line: something to see, no control characters. `blank`: further characters that show nothing. */
export const nameText = (maxLength: number, description: string, blank = "") =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^[^${control}]*[^${control}\\s${blank}][^${control}]*$`,
    description,
  });

/** Characters that nobody sees, of those that names are refused for when they hold nothing else. */
export const invisible = "\\u00ad\\u115f\\u1160\\u200b-\\u200f\\u2060-\\u206f\\u2800\\u3164\\uffa0";

/** An object whose content is the caller's own. */
export const ownObject = (description: string) =>
  Type.Unsafe<object>({ type: "object", additionalProperties: true, "x-max-json-bytes": 4096, description });

export const languageTag = Type.String({
  pattern: languageTagPattern,
  description: "language tag (BCP 47)",
  examples: ["en", "pt-BR"],
});

/** An id of ours in an answer. */
export const id = Type.String({ description: "16 lower-case letters and digits", examples: ["01h8x3k9q2m4a7zp"] });

export const dateTime = Type.String({ format: "date-time" });

/** A value or null, in the spelling that serializes fastest. */
export const nullable = <Value>(type: "string" | "integer" | "number", options: object = {}) =>
  Type.Unsafe<Value | null>({ ...options, type: [type, "null"] });

export const nullableText = nullable<string>("string");
export const nullableDateTime = nullable<string>("string", { description: "date-time (ISO 8601)" });

/** One of some words. Says that they are text, so that a body with anything else is not passed on to a service. */
export const word = <Word extends string>(words: readonly Word[], options: object = {}) =>
  Type.Unsafe<Word>({ ...options, type: "string", enum: words });

/** An object that takes no other fields than these. */
export const closed = <Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** An object named in the OpenAPI document's components. */
export const named = <Properties extends TProperties>(title: string, properties: Properties, options: object = {}) =>
  Type.Object(properties, { ...options, title });

/** A body to try: what it is about, and the body itself. */
interface BodyExample<Body> {
  summary: string;
  value: Body;
}

/** A body's schema with named examples for the OpenAPI document. The docs page fills in the first: it should work. */
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

const cursorPagination = named("CursorPagination", {
  cursor_next: nullable<string>("string", { description: "send it back as `cursor`; null after the last page" }),
  hasMore: Type.Boolean(),
  total: Type.Optional(Type.Integer()),
});

const pagePagination = named("PagePagination", {
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
  totalPages: Type.Integer(),
  hasMore: Type.Boolean(),
});

/** The success envelope around the data (contract 1.1). */
export const envelope = (description: string, data: TSchema) =>
  Type.Object({ success: Type.Boolean({ const: true }), data, meta }, { description });

/** The envelope of a list that is paged by cursor. */
export const cursorList = (description: string, item: TSchema) =>
  Type.Object(
    { success: Type.Boolean({ const: true }), data: Type.Array(item), pagination: cursorPagination, meta },
    { description },
  );

/** The envelope of a list that is paged by number. */
export const pageList = (description: string, item: TSchema) =>
  Type.Object(
    { success: Type.Boolean({ const: true }), data: Type.Array(item), pagination: pagePagination, meta },
    { description },
  );

export const limitParam = Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "items of a page" });
export const cursorParam = Type.Optional(
  Type.String({ maxLength: 1024, description: "`cursor_next` of the page before; empty: the first page" }),
);
