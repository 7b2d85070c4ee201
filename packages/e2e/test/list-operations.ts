import { resolveReferences, shortPath } from "../../../gateway/test/fuzz/resolve-references.ts";
import type { ApiClient } from "../src/index.ts";

/** An operation of the OpenAPI document. */
export interface Operation {
  method: string;
  /** Includes its required query parameters. */
  path: string;
  /** The first example of its body; undefined if it takes none. */
  body: unknown;
  needsIfMatch: boolean;
}

/** All operations of the OpenAPI document that need a token. */
export async function listOperations(api: ApiClient): Promise<Operation[]> {
  const { paths } = resolveReferences((await api.get("/openapi.json")).body as unknown as Document);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, { requestBody, parameters = [] }]) => ({
        method: method.toUpperCase(),
        path: shortPath(path) + requiredQuery(parameters),
        body: Object.values(requestBody?.content["application/json"]?.examples ?? {})[0]?.value,
        needsIfMatch: parameters.some(({ name }) => name === "If-Match"),
      })),
  );
}

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

interface DocumentedOperation {
  security?: unknown[];
  requestBody?: { content: { "application/json"?: { examples?: Record<string, { value: unknown }> } } };
  parameters?: Parameter[];
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

/** All required query parameters are ids. */
function requiredQuery(parameters: readonly Parameter[]): string {
  const names = parameters.filter((each) => each.in === "query" && each.required).map(({ name }) => name);
  return names.length === 0 ? "" : `?${names.map((name) => `${name}=${"0".repeat(16)}`).join("&")}`;
}
