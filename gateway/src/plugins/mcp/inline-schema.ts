import { plainSchema } from "../openapi/plain-schema.ts";

type Json = Record<string, unknown>;

/** Annotations that only the OpenAPI document uses. A property may have the name of one; then it is an object. */
const ofDocument: ReadonlySet<string> = new Set(["discriminator", "title", "x-examples", "x-not-beside", "x-shown-as"]);
/** Keywords whose values are data. */
const data: ReadonlySet<string> = new Set(["default", "enum", "example", "examples", "required"]);

/** Writes a route's schema as plain JSON Schema without references, as readers of tools expect it. */
export function inlineSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inlineSchema);
  if (typeof node !== "object" || node === null) return node;
  const { "x-in-words": words } = node as Json;
  if (typeof words === "string") return inWords(node as Json, words);
  const plain = Object.entries(plainSchema(node as Json));
  const kept = plain.filter(([key, value]) => !ofDocument.has(key) || isProperty(value));
  return Object.fromEntries(kept.map(([key, value]) => [key, data.has(key) ? value : inlineSchema(value)]));
}

/** A schema that is used often: described in words instead of inlined. */
function inWords({ anyOf }: Json, words: string): Json {
  const isNullable = Array.isArray(anyOf) && anyOf.some(({ type }: Json) => type === "null");
  return { type: isNullable ? ["object", "null"] : "object", description: words };
}

const isProperty = (value: unknown): boolean => typeof value === "object" && value !== null && "type" in value;
