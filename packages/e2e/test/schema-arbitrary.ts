import { anyCharacter } from "@canvass/testing/any-character";
import fc from "fast-check";
import type { Json } from "../src/index.ts";

/** Values that often break programs: NUL, half a surrogate pair, huge numbers, invalid dates. */
const nasty: Json[] = [
  null,
  true,
  -0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a".repeat(5_000),
  "(((((",
  "en-",
  "__proto__",
  "2099-02-30T00:00:00Z",
  "+275761-01-01",
];

const dateTimes = fc
  .date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

export interface SchemaContext {
  /** The whole OpenAPI document, for references. */
  document: Json;
  /** Texts that the system knows, such as ids. */
  known: readonly string[];
}

/** Mostly valid values of a schema of the OpenAPI document, and occasionally others. */
export function schemaArbitrary({ document, known }: SchemaContext, schema: Json): fc.Arbitrary<Json> {
  const text = fc.oneof(fc.constantFrom(...known), fc.string({ unit: anyCharacter }), fc.string());
  const anything: fc.Arbitrary<Json> = fc.oneof(fc.constantFrom(...nasty), text, fc.jsonValue({ maxDepth: 3 }));

  /** By schema and depth: a resolved document holds the same schema in many places. */
  const made = new Map<Json, fc.Arbitrary<Json>[]>();

  function of(part: Json, depth: number): fc.Arbitrary<Json> {
    const schema = resolve(part);
    if (!schema || depth > 6) return anything;
    const byDepth = made.get(schema) ?? [];
    made.set(schema, byDepth);
    return (byDepth[depth] ??= fc.oneof(
      { weight: 9, arbitrary: fitting(schema, depth + 1) },
      { weight: 1, arbitrary: anything },
    ));
  }

  function fitting(schema: Json, depth: number): fc.Arbitrary<Json> {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return fc.oneof(...choices.map((choice: Json) => of(choice, depth)));
    switch ([schema.type].flat()[0]) {
      case "object":
        return fc.record(
          mapValues(schema.properties ?? {}, (property) => of(property, depth)),
          { requiredKeys: [] },
        );
      case "array":
        return fc.array(of(schema.items, depth), { maxLength: 5 });
      case "integer":
      case "number":
        return fc.oneof(fc.integer({ min: -3, max: 20 }), fc.double());
      case "boolean":
        return fc.boolean();
      case "string":
        return schema.format === "date-time" ? dateTimes : text;
      default:
        return anything;
    }
  }

  function resolve(schema: Json): Json {
    if (!schema?.$ref) return schema;
    return resolve(
      schema.$ref
        .split("/")
        .slice(1)
        .reduce((node: Json, name: string) => node[name], document),
    );
  }

  return of(schema, 0);
}

function mapValues(properties: Record<string, Json>, change: (property: Json) => fc.Arbitrary<Json>) {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, change(property)]));
}
