import type { ApiClient } from "../src/index.ts";

/** An operation of the OpenAPI document. */
export interface Operation {
  method: string;
  path: string;
  takesBody: boolean;
  needsIfMatch: boolean;
}

/** All operations of the OpenAPI document that need a token. */
export async function listOperations(api: ApiClient): Promise<Operation[]> {
  const { paths } = (await api.get("/openapi.json")).body as unknown as {
    paths: Record<string, Record<string, DocumentedOperation>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, { requestBody, parameters = [] }]) => ({
        method: method.toUpperCase(),
        path,
        takesBody: requestBody !== undefined,
        needsIfMatch: parameters.some(({ name }) => name === "If-Match"),
      })),
  );
}

interface DocumentedOperation {
  security?: unknown[];
  requestBody?: unknown;
  parameters?: { name: string; in: string }[];
}
