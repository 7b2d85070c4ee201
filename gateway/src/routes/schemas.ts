import { subscribableEventTypes } from "@canvass/inputs";
import { typeNames } from "@canvass/questions";
import { Type, type Static, type TSchema } from "typebox";
import { errorCode, meta, named, nullable, nullableWords, words } from "../plugins/openapi/schema-parts.ts";

export { errorCode, meta, named, nullable, nullableWords, words };

/** An id in a path. The edge checks, not the schema, refuse a malformed one. */
export const idParam = (description: string) => Type.String({ description });

export const id = Type.String({ description: "16 lower-case letters and digits", examples: ["01h8x3k9q2m4a7zp"] });

export const dateTime = Type.String({ format: "date-time" });

/** Any object. The document shows it as the schema of that name, which stands in `shown-schemas.ts`. */
export const shownAs = (name: string) =>
  Type.Unsafe<object>({ type: "object", additionalProperties: true, "x-shown-as": name });

export const nullableText = nullable<string>("string");
export const nullableDateTime = nullable<string>("string", { description: "date-time (ISO 8601)" });

export const questionTypeName = Type.Unsafe<string>({
  title: "QuestionTypeName",
  type: "string",
  enum: [...typeNames],
});

/** Types of the events that webhooks get. */
export const eventTypes = [...subscribableEventTypes, "webhook.test"] as const;

interface BodyExample<Body> {
  summary: string;
  value: Body;
}

/** The docs page fills in the first example, so it should work. */
export const withExamples = <Body extends TSchema>(
  body: Body,
  examples: Record<string, BodyExample<Static<Body>>>,
): Body => ({ ...body, "x-examples": examples });

/** Why a job failed; null for others. */
export const jobErrorSchema = Type.Unsafe<{ code: string; message: string } | null>({
  ...named("JobError", { code: errorCode, message: Type.String() }),
  type: ["object", "null"],
});

/** The success envelope around the data (contract 1.1). */
export const envelope = (description: string, data: TSchema) =>
  Type.Object({ success: Type.Boolean({ const: true }), data, meta }, { description });
