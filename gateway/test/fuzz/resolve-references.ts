/**
 * Returns the document with each reference replaced by what it names. Inside a schema that contains itself, the inner
 * one is replaced by the first of its variants (`oneOf`).
 */
export function resolveReferences<Document extends object>(document: Document): Document {
  const known = new Map<string, unknown>();
  const open = new Set<string>();

  function named(reference: string): unknown {
    if (known.has(reference)) return known.get(reference);
    const keys = reference.replace(/^#\//, "").split("/");
    const found = keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
    if (open.has(reference)) return resolve((found as { oneOf: unknown[] }).oneOf[0]);
    open.add(reference);
    const resolved = resolve(found);
    open.delete(reference);
    known.set(reference, resolved);
    return resolved;
  }

  function resolve(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== "object" || node === null) return node;
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === "string") return named($ref);
    const { oneOf } = node as { oneOf?: { $ref?: string }[] };
    if (oneOf?.some((each) => open.has(each.$ref ?? ""))) return resolve(oneOf[0]);
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]));
  }

  return resolve(document) as Document;
}

interface Failing {
  responses: Record<string, unknown>;
}

/** The codes of errors that an operation of a resolved document may answer with. */
export function errorCodesOf({ responses }: Failing): string[] {
  const { content } = responses["default"] as { content: Record<string, { schema: object }> };
  const { allOf } = content["application/json"]!.schema as Failure;
  return allOf[1].properties.error.properties.code.enum;
}

interface Failure {
  allOf: [unknown, { properties: { error: { properties: { code: { enum: string[] } } } } }];
}

/** The path of an operation as the tests' clients take it: below the API's prefix. */
export const shortPath = (path: string): string => path.replace(/^\/api\/v1(?=\/)/, "");
