import { docComment } from "./doc-comment.ts";

/** The keywords that schemas of answers use. */
export interface ValueSchema {
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly ValueSchema[];
  type?: string;
  minimum?: number;
  maximum?: number;
  items?: ValueSchema;
  properties?: Readonly<Record<string, ValueSchema>>;
  required?: readonly string[];
  propertyNames?: ValueSchema;
  additionalProperties?: ValueSchema | boolean;
  title?: string;
  description?: string;
}

/** An integer range of at most this many values becomes a union of literals. */
const maxLiterals = 11;

/**
 * Returns a value's schema as a TypeScript type. `pad` is the indentation of all lines after the first. Unknown schemas
 * become `unknown`.
 */
export function valueType(schema: ValueSchema, pad = ""): string {
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return union(schema.anyOf, pad);
  switch (schema.type) {
    case "string":
    case "number":
    case "boolean":
      return schema.type;
    case "integer":
      return integerRange(schema) ?? "number";
    case "array":
      return `Array<${valueType(schema.items ?? {}, pad)}>`;
    case "object":
      return objectType(schema, pad);
    default:
      return "unknown";
  }
}

/** One line per variant, because most variants have a title, written as a comment. */
function union(variants: readonly ValueSchema[], pad: string): string {
  const lines = variants.map((variant) => {
    const comment = variant.title === undefined ? "" : `${docComment(variant.title)} `;
    return `\n${pad}  | ${comment}${valueType(variant, `${pad}  `)}`;
  });
  return lines.length === 0 ? "never" : lines.join("");
}

function integerRange({ minimum, maximum }: ValueSchema): string | undefined {
  if (minimum === undefined || maximum === undefined || maximum - minimum >= maxLiterals) return undefined;
  return Array.from({ length: maximum - minimum + 1 }, (_, step) => minimum + step).join(" | ");
}

function objectType(schema: ValueSchema, pad: string): string {
  const { properties, required = [], propertyNames, additionalProperties } = schema;
  if (properties) {
    const members = Object.entries(properties).map(([name, value]) =>
      member(name, value, { pad: `${pad}  `, isRequired: required.includes(name) }),
    );
    return `{\n${members.join("\n")}\n${pad}}`;
  }
  const names = propertyNames ? valueType(propertyNames, pad) : "string";
  const values = typeof additionalProperties === "object" ? valueType(additionalProperties, pad) : "unknown";
  return `Partial<Record<${names}, ${values}>>`;
}

/** A member of an object or interface, with its comment. */
export function member(name: string, schema: ValueSchema, { pad, isRequired }: { pad: string; isRequired: boolean }) {
  const text = schema.description ?? schema.title;
  const comment = text === undefined ? "" : `${pad}${docComment(text)}\n`;
  return `${comment}${pad}${memberName(name)}${isRequired ? "" : "?"}: ${valueType(schema, pad)};`;
}

export const memberName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
