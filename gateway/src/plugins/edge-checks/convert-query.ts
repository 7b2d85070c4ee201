import type { TObject, TSchema } from "typebox";

const integer = /^-?\d{1,15}$/;
const booleans: Record<string, boolean> = { true: true, false: false };

/** An unescaped plus in a query decodes to a blank, as in the offset of `12:00:00+02:00`. */
const blankOffset = / (?=\d{2}:\d{2}$)/;

/** Converts parameters to their types. A value that does not fit stays text, so that `checkQuery` reports it. */
export function convertQuery(schema: TObject, query: Record<string, unknown>): Record<string, unknown> {
  // Without a prototype, because callers choose the names.
  const converted = Object.create(null) as Record<string, unknown>;
  for (const name in query) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    converted[name] = convert(property, query[name]);
  }
  return converted;
}

function convert(schema: TSchema | undefined, value: unknown): unknown {
  const { type, format } = (schema ?? {}) as { type?: string; format?: string };
  // A parameter that may be repeated.
  if (type === "array") return [value].flat();
  if (typeof value !== "string") return value;
  if (format === "date-time") return value.replace(blankOffset, "+");
  if (type === "integer" && integer.test(value)) return Number(value);
  if (type === "boolean" && Object.hasOwn(booleans, value)) return booleans[value];
  return value;
}
