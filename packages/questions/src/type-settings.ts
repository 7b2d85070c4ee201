import { isJsonObject, type JsonObject } from "@canvass/values";
import { Type, type Static, type TNull, type TObject, type TSchema, type TUnion } from "typebox";
import type { Question } from "./definition.ts";

type Defaulted = { default?: unknown; properties?: Record<string, TSchema> };

/** A setting that may be null ("no limit", "none chosen"), which is also its default unless another one is given. */
export function nullable<T extends TSchema>(schema: T, byDefault: unknown = null): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()], { default: byDefault });
}

/** An object of settings that takes no other keys; each property's schema carries a `default`. */
export function settingsObject<T extends Record<string, TSchema>>(properties: T) {
  return Type.Object(properties, { additionalProperties: false });
}

/**
 * The input with every left-out setting at its default, also inside nested objects. Wrong values and unknown keys are
 * kept as they are, for the shape check to find.
 */
export function withDefaults(schema: TSchema, input: unknown): unknown {
  const { properties } = schema as Defaulted;
  if (!properties || !isJsonObject(input)) return input;
  // A spread defines own properties, so a key called __proto__ stays a key.
  const complete: JsonObject = { ...input };
  for (const [key, property] of Object.entries(properties)) {
    complete[key] = Object.hasOwn(input, key) ? withDefaults(property, input[key]) : defaultOf(property);
  }
  return complete;
}

/** A fresh copy of a schema's default: its own, or that of its properties. */
export function defaultOf(schema: TSchema): unknown {
  const { default: own, properties } = schema as Defaulted;
  if (own !== undefined || !properties) return structuredClone(own);
  return withDefaults(schema, {});
}

/**
 * A function giving a question's complete settings, computed once per question object. Settings that were added to the
 * type after the question was published appear at their defaults.
 */
export function settingsReader<S extends TObject>(schema: S): (question: Question) => Static<S> {
  return perQuestion((question) => withDefaults(schema, question.typeSettings) as Static<S>);
}

/** Computes something once per question object and keeps it as long as the object lives. */
export function perQuestion<T>(compute: (question: Question) => T): (question: Question) => T {
  const known = new WeakMap<Question, { value: T }>();
  return (question) => {
    let entry = known.get(question);
    if (!entry) {
      entry = { value: compute(question) };
      known.set(question, entry);
    }
    return entry.value;
  };
}
