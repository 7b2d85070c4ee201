import { checkShape, type Violation } from "@canvass/inputs";
import { parseInstant } from "@canvass/values";
import type { TObject, TSchema } from "typebox";

type Parameter = TSchema & { default?: unknown; format?: string; "x-not-beside"?: readonly string[] };

/** Adds the violations of a converted query (`convertQuery`), and sets the defaults of missing parameters. */
export function checkQuery(schema: TObject, query: Record<string, unknown>, violations: Violation[]): void {
  const { properties } = schema;
  const required: readonly string[] = schema.required ?? [];
  for (const name of Object.keys(query)) {
    if (Object.hasOwn(properties, name)) continue;
    const named = namedBy(schema, name);
    if (named) checkParameter(named, query[name], name, violations);
    else violations.push({ path: name, message: "is not a known parameter" });
  }
  for (const [name, parameter] of Object.entries<Parameter>(properties)) {
    const { default: usual, "x-not-beside": others = [] } = parameter;
    const other = others.find((each) => Object.hasOwn(query, each));
    if (other !== undefined && Object.hasOwn(query, name)) {
      violations.push({ path: name, message: `has no effect with \`${other}\`; leave it out` });
    }
    if (Object.hasOwn(query, name)) checkParameter(parameter, query[name], name, violations);
    else if (usual !== undefined) query[name] = usual;
    else if (required.includes(name)) violations.push({ path: name, message: "is required" });
  }
}

/** The schema of a parameter whose name only follows a pattern. */
function namedBy(schema: TObject, name: string): TSchema | undefined {
  const { patternProperties = {} } = schema as { patternProperties?: Record<string, TSchema> };
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, "u").test(name))?.[1];
}

function checkParameter(parameter: Parameter, value: unknown, path: string, violations: Violation[]): void {
  if (parameter.format !== "date-time") return checkShape(parameter, value, path, violations);
  if (typeof value === "string" && parseInstant(value) !== null) return;
  violations.push({ path, message: "must be a date and time such as 2026-01-31T12:00:00Z" });
}

/** Finds parameters that are not percent-encoded UTF-8 (RFC 3986, 2.1 and 2.5), which the parser leaves undecoded. */
export function checkQueryEncoding(address: string, violations: Violation[]): void {
  const query = address.slice(address.indexOf("?") + 1);
  if (!query.includes("%") || query === address || isEncoded(query)) return;
  for (const pair of query.split("&")) {
    if (isEncoded(pair)) continue;
    const [name = ""] = pair.split("=", 1);
    violations.push({ path: shown(name), message: "is not percent-encoded UTF-8" });
  }
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function shown(name: string): string {
  const text = isEncoded(name) ? decodeURIComponent(name) : name;
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

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
