import { isDeepStrictEqual } from "node:util";
import { plainSchema } from "./plain-schema.ts";

type Json = Record<string, unknown>;
export type Schemas = Record<string, Json>;

const schemaName = /^[A-Z]\w*$/;

export const schemaReference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * Replaces each schema whose title is a capitalized word, such as `SurveyLink`, by a reference, and adds it to
 * `schemas` under that name. A schema with `x-shown-as` is shown as the one of that name. Throws if a name stands for
 * two schemas.
 */
export function nameSchemas(node: unknown, schemas: Schemas): unknown {
  if (Array.isArray(node)) return node.map((item) => nameSchemas(item, schemas));
  if (typeof node !== "object" || node === null) return node;
  const schema = plainSchema(node as Json);
  const { "x-shown-as": shown } = schema;
  if (typeof shown === "string") return schemaReference(shown);
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (data.has(key)) return [key, value];
      return [key, key === "properties" ? namedProperties(value, schemas) : nameSchemas(value, schemas)];
    }),
  );
  const { title } = copy;
  return typeof title === "string" && schemaName.test(title) ? addSchema(title, copy, schemas) : copy;
}

/** A property may have the name of a keyword, such as `default`. */
function namedProperties(properties: unknown, schemas: Schemas): unknown {
  if (typeof properties !== "object" || properties === null) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, nameSchemas(each, schemas)]));
}

/** Keywords whose values are data. */
const data: ReadonlySet<string> = new Set(["default", "enum", "example", "examples", "required", "mapping"]);

/** Adds a schema and returns the reference to it. */
export function addSchema(name: string, titled: Json, schemas: Schemas): { $ref: string } {
  const schema = Object.fromEntries(Object.entries(titled).filter(([key]) => key !== "title"));
  const known = schemas[name];
  if (known !== undefined && !isDeepStrictEqual(known, schema)) throw new Error(`two schemas are named ${name}`);
  schemas[name] = schema;
  return schemaReference(name);
}
