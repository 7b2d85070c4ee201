import type { TObject, TSchema } from "typebox";

const integer = /^-?\d{1,15}$/;
const booleans: Record<string, boolean> = { true: true, false: false };

/**
 * A query string's parameters with the types that the schema gives them. What does not read as its type stays text, so
 * that the check of the schema names it.
 */
export function convertQuery(schema: TObject, query: Record<string, unknown>): Record<string, unknown> {
  // Without a prototype, and asked for own properties only: names are the caller's.
  const converted = Object.create(null) as Record<string, unknown>;
  for (const name in query) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    converted[name] = convert(property, query[name]);
  }
  return converted;
}

function convert(schema: TSchema | undefined, value: unknown): unknown {
  const { type } = (schema ?? {}) as { type?: string };
  if (typeof value !== "string") return value;
  if (type === "integer" && integer.test(value)) return Number(value);
  if (type === "boolean" && Object.hasOwn(booleans, value)) return booleans[value];
  return value;
}
