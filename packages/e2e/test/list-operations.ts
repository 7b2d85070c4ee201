import { resolveReferences, shortPath } from "../../../gateway/test/fuzz/resolve-references.ts";
import type { ApiClient } from "../src/index.ts";

/** An operation of the OpenAPI document. */
export interface Operation {
  method: string;
  /** Includes its required query parameters. */
  path: string;
  /** The first example of its body and its media type; undefined if it takes none. */
  body: unknown;
  mediaType: string | undefined;
  needsIfMatch: boolean;
  takesKey: boolean;
}

/** All operations of the OpenAPI document that need a token. */
export async function listAuthenticatedOperations(api: ApiClient): Promise<Operation[]> {
  const { paths } = resolveReferences((await api.get("/openapi.json")).body as unknown as Document);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, { requestBody, parameters = [] }]) => {
        const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
        return {
          method: method.toUpperCase(),
          path: shortPath(path) + requiredQuery(parameters),
          body: Object.values(content?.examples ?? {})[0]?.value,
          mediaType,
          needsIfMatch: parameters.some(({ name }) => name === "If-Match"),
          takesKey: parameters.some(({ name }) => name === "Idempotency-Key"),
        };
      }),
  );
}

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

interface DocumentedOperation {
  security?: unknown[];
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
  parameters?: Parameter[];
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: { enum?: string[] };
}

/** Required query parameters are words of a list, or may be ids. */
function requiredQuery(parameters: readonly Parameter[]): string {
  const needed = parameters.filter((each) => each.in === "query" && each.required);
  const pairs = needed.map(({ name, schema }) => [name, schema.enum?.[0] ?? "0".repeat(16)]);
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}
