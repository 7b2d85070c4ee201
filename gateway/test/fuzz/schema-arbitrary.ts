import { anyCharacter } from "@canvass/testing/any-character";
import fc from "fast-check";

/** The part of JSON Schema that the API's document uses. */
export interface Schema {
  "x-not-beside"?: string[];
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
}

const longest = 40;
/** All forms of RFC 3339: different fractions, time zones, lower case, a leap second. */
const dateTimes = fc.oneof(
  fc
    .tuple(
      fc.date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
      fc.constantFrom("", ".1", ".123456", ".123456789012"),
      fc.constantFrom("Z", "z", "+00:00", "-11:59", "+23:59"),
    )
    .map(([date, fraction, zone]) => date.toISOString().slice(0, 19) + fraction + zone),
  fc.constantFrom("2016-12-31T23:59:60Z", "2030-01-31t12:00:00z"),
);

/** JSON without the keys that no body may have. */
const anyJson = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => !/"(?:__proto__|constructor)":/.test(JSON.stringify(value)));

/** Texts that the system knows, used where a pattern allows them. */
export type Known = readonly string[];

const nothingKnown: Known = [];

/** By what is known and by schema: a resolved document holds the same schema in many places. */
const made = new WeakMap<Known, WeakMap<Schema, fc.Arbitrary<unknown>>>();

/** Valid values of the schema. Throws on an unsupported keyword. */
export function validValue(schema: Schema, known: Known = nothingKnown): fc.Arbitrary<unknown> {
  const bySchema = made.get(known) ?? new WeakMap<Schema, fc.Arbitrary<unknown>>();
  made.set(known, bySchema);
  const values = bySchema.get(schema) ?? newValues(schema, known);
  bySchema.set(schema, values);
  return values;
}

function newValues(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  if (schema.$ref) throw new Error(`resolve the references first: ${schema.$ref}`);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return fc.oneof(...variants.map((each) => validValue(each, known)));
  const types = [schema.type ?? "any"].flat();
  return fc.oneof(...types.map((type) => valueOfType(type, schema, known)));
}

function valueOfType(type: string, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
    case "number":
      return fc.double({
        min: schema.exclusiveMinimum ?? schema.minimum ?? -1e6,
        minExcluded: schema.exclusiveMinimum !== undefined,
        max: schema.maximum ?? 1e6,
        noNaN: true,
      });
    case "string":
      return text(schema, known);
    case "array":
      return list(schema, known);
    case "object":
      return object(schema, known);
    default:
      return anyJson;
  }
}

function text({ format, pattern, minLength = 0, maxLength = longest }: Schema, known: Known): fc.Arbitrary<string> {
  if (format === "date-time") return dateTimes;
  const fits = (value: string) => value.length >= minLength && value.length <= maxLength && value.isWellFormed();
  if (pattern !== undefined) {
    // The pattern does not state all rules of a web address.
    if (pattern.includes("://")) return fc.webUrl({ validSchemes: ["https"] }).filter(fits);
    const shape = new RegExp(pattern, "u");
    const fitting = known.filter((each) => shape.test(each));
    const any = textsOf(shape).filter(fits);
    return fitting.length > 0 && !shape.test("a b") ? fc.oneof(fc.constantFrom(...fitting), any) : any;
  }
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, minLength + longest) }).filter(fits);
}

/** By pattern: fast-check takes milliseconds to read one. */
const textsByPattern = new Map<string, fc.Arbitrary<string>>();

function textsOf(shape: RegExp): fc.Arbitrary<string> {
  const texts = textsByPattern.get(shape.source) ?? fc.stringMatching(shape);
  textsByPattern.set(shape.source, texts);
  return texts;
}

function list(
  { items = {}, minItems = 0, maxItems = 4, uniqueItems = false }: Schema,
  known: Known,
): fc.Arbitrary<unknown[]> {
  const size = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) };
  return uniqueItems
    ? fc.uniqueArray(validValue(items, known), { ...size, maxLength: 1 })
    : fc.array(validValue(items, known), size);
}

function object({ properties = {}, required = [], minProperties = 0 }: Schema, known: Known): fc.Arbitrary<object> {
  const values = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, validValue(each, known)]));
  const record = fc.record(values, { requiredKeys: required, noNullPrototype: true });
  return record.filter((value) => Object.keys(value).length >= minProperties);
}

/** Texts that often break programs. */
export const hostileTexts = [
  "",
  " ",
  "null",
  "__proto__",
  "constructor",
  "toString",
  "\0",
  "a\0b",
  "\uD800",
  "\uFFFE",
  "\u202Egnirts",
  "٣",
  "-0",
  "1e309",
  "NaN",
  "9007199254740993",
  "18446744073709551616",
  "0x10",
  "%",
  "%00",
  "%2e%2e%2f",
  "../../etc/passwd",
  "' OR 1=1 --",
  "{{7*7}}",
  "${jndi:ldap://x}",
  "<script>alert(1)</script>",
  "*",
  '"',
  'W/"a"',
  "\\",
  "2016-12-31T23:59:60Z",
  "2026-02-30T00:00:00Z",
  "9999-12-31T23:59:59.999+23:59",
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00-23:59",
  "2026-01-01 00:00:00Z",
  "2026-01-01T00:00:00z",
  "2026-01-01T00:00:00.0000000000000001Z",
  "x".repeat(3000),
];

export const hostileText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.string({ maxLength: 30 }),
);

const hostileNumbers = fc.constantFrom(0, -1, 1.5, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63), Number.MAX_VALUE, 5e-324);

/** JSON of any shape. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumbers,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], { "": "" }, { length: -1 }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(hostileText, { maxLength: 60 }),
  fc.dictionary(hostileText, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 5 }),
);

/** A value with one part replaced, removed, added or repeated. */
export function nearly(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(value, fc.infiniteStream(fc.nat()), hostileValue, hostileText).map(([whole, choices, part, name]) => {
    const next = (below: number) => (choices.next().value ?? 0) % below;
    return change(structuredClone(whole), next, part, name);
  });
}

function change(whole: unknown, next: (below: number) => number, part: unknown, name: string): unknown {
  if (typeof whole !== "object" || whole === null || next(4) === 0) return part;
  const keys = Object.keys(whole);
  const record = whole as Record<string, unknown>;
  const key = keys[next(keys.length || 1)];
  const kind = next(4);
  if (key !== undefined && kind < 2) record[key] = change(record[key], next, part, name);
  else if (Array.isArray(whole)) whole.push(...(kind === 2 ? (whole as unknown[]) : [part]));
  else if (key !== undefined && kind === 2) delete record[key];
  else Object.defineProperty(record, name, { value: part, enumerable: true, configurable: true, writable: true });
  return whole;
}
