import { isJsonObject, type JsonObject } from "@canvass/values";
import { Type, type Static, type TNull, type TObject, type TSchema, type TUnion } from "typebox";
import type { Question } from "./definition.ts";

type Defaulted = { default?: unknown; properties?: Record<string, TSchema> };

export function nullable<T extends TSchema>(schema: T, byDefault: unknown = null): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()], { default: byDefault });
}

export function settingsObject<T extends Record<string, TSchema>>(properties: T) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Fills in the defaults of absent settings, also in nested objects. Keeps invalid values for the shape check. */
export function withDefaults(schema: TSchema, input: unknown): unknown {
  const { properties } = schema as Defaulted;
  if (!properties || !isJsonObject(input)) return input;
  // A spread defines own properties, so the key __proto__ stays a key.
  const complete: JsonObject = { ...input };
  for (const [key, property] of Object.entries(properties)) {
    complete[key] = Object.hasOwn(input, key) ? withDefaults(property, input[key]) : defaultOf(property);
  }
  return complete;
}

export function defaultOf(schema: TSchema): unknown {
  const { default: own, properties } = schema as Defaulted;
  if (own !== undefined || !properties) return structuredClone(own);
  return withDefaults(schema, {});
}

/** The reader caches per question. A setting that is newer than the question has its default. */
export function settingsReader<S extends TObject>(schema: S): (question: Question) => Static<S> {
  return perQuestion((question) => withDefaults(schema, question.typeSettings) as Static<S>);
}

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
