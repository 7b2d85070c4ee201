type Json = Record<string, unknown>;
type Variant = Json & { properties: Json & { type: { enum: unknown[] } } };

/**
 * Moves properties that are equal in several variants of an object beside `oneOf`, where they are written once: a model
 * reads every schema. What was valid stays valid, since variants are told apart by their `type`. A property that a
 * variant does not have is no longer refused by the schema, but by the API.
 */
export function shareProperties(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shareProperties);
  if (typeof node !== "object" || node === null) return node;
  const schema = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, shareProperties(value)]));
  const { oneOf: variants } = schema;
  if (!Array.isArray(variants) || !areVariants(variants)) return schema;
  const shared = alike(variants);
  const oneOf = variants.map((variant) => {
    const { additionalProperties: _, ...rest } = variant;
    const own = Object.entries(variant.properties).filter(([name]) => !(name in shared));
    return { ...rest, properties: Object.fromEntries(own) };
  });
  return { ...schema, type: "object", properties: shared, oneOf };
}

/** Whether each is an object with a `type` of its own. */
function areVariants(schemas: readonly unknown[]): schemas is Variant[] {
  const types = schemas.flatMap((schema) => {
    const { properties, required = [] } = Object(schema) as Partial<Variant> & { required?: string[] };
    return (required.includes("type") && properties?.type?.enum) || [undefined];
  });
  return !types.includes(undefined) && new Set(types).size === types.length;
}

/** The properties that at least two variants have, all with the same schema. */
function alike(variants: readonly Variant[]): Json {
  const all = Map.groupBy(
    variants.flatMap(({ properties }) => Object.entries(properties)),
    ([name]) => name,
  );
  const same = [...all].filter(([, schemas]) => {
    const texts = new Set(schemas.map(([, schema]) => JSON.stringify(schema)));
    return schemas.length > 1 && texts.size === 1;
  });
  return Object.fromEntries(same.map(([name, schemas]) => [name, schemas[0]![1]]));
}
