type Json = Record<string, unknown>;

/** Keywords of packages/inputs/src/fields.ts that mean nothing to readers of the document. */
const ownKeywords: ReadonlySet<string> = new Set(["x-visible", "x-judged-by", "x-expected", "x-in-words"]);

/**
 * Writes one level of a schema in the way that generators of clients read: a single value is an enum, null is one of
 * the types, names in a map have no pattern, and variants of text are one type.
 */
export function plainSchema(schema: Json): Json {
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => !ownKeywords.has(key) && value !== undefined),
  );
  return withVariants(withOpenNames(withEnum(kept)));
}

function withEnum({ const: only, exclusiveMinimum, ...schema }: Json): Json {
  // OpenAPI 3.0 and 3.1 write an exclusive limit in different ways.
  const { enum: values = only === undefined ? undefined : [only], ...rest } = schema;
  const limited = exclusiveMinimum === undefined ? rest : { ...rest, minimum: exclusiveMinimum };
  if (!Array.isArray(values)) return limited;
  return { ...limited, type: limited["type"] ?? typeof values[0], enum: values };
}

/** `patternProperties` is unknown to many generators. */
function withOpenNames({ patternProperties, ...schema }: Json): Json {
  if (typeof patternProperties !== "object" || patternProperties === null) return schema;
  return { ...schema, additionalProperties: Object.values(patternProperties)[0] };
}

function withVariants({ anyOf, ...schema }: Json): Json {
  if (!Array.isArray(anyOf)) return schema;
  const variants = anyOf.map((each: Json) => plainSchema(each));
  const others = variants.filter(({ type }) => type !== "null");
  const merged = joined(others);
  const about = merged.length === 1 ? { ...merged[0], ...schema } : schema;
  // Values of a list or a scalar are left open, since few languages have a type for them.
  if (merged.length > 1 && merged.some(({ type }) => type === "array")) return about;
  if (merged.length > 1) about["oneOf"] = merged;
  return others.length === variants.length ? about : orNull(about);
}

/** Merges variants of text into one, which accepts what matches any of their patterns. */
function joined(variants: Json[]): Json[] {
  if (variants.length < 2 || !variants.every(({ type }) => type === "string")) return variants;
  if (variants.every((each) => Array.isArray(each["enum"])))
    return [{ type: "string", enum: variants.flatMap((each) => each["enum"] as unknown[]) }];
  const patterns = variants.map((each) =>
    Array.isArray(each["enum"]) ? `^${each["enum"].join("|")}$` : each["pattern"],
  );
  return [{ type: "string", ...(patterns.every(Boolean) && { pattern: patterns.join("|") }) }];
}

function orNull(schema: Json): Json {
  const { type, enum: values, oneOf } = schema;
  if (Array.isArray(oneOf)) return { ...schema, oneOf: [orNull(oneOf[0] as Json), ...oneOf.slice(1)] };
  if (type === undefined) return schema;
  return {
    ...schema,
    type: [...new Set([type, "null"].flat())],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}
