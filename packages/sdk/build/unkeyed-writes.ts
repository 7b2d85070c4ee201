/** The parts of an OpenAPI document that tell which writes take an idempotency key. */
export interface Document {
  paths: Record<string, Record<string, { parameters?: { $ref?: string; name?: string }[] }>>;
}

const isKey = ({ $ref = "", name = "" }: { $ref?: string; name?: string }) =>
  $ref.endsWith("/IdempotencyKey") || name.toLowerCase() === "idempotency-key";

/**
 * Lists the operations other than GET without `Idempotency-Key`, such as `POST /api/v1/tokens`: their responses hold a
 * secret, or they only read (contract 3.4).
 */
export function unkeyedWrites({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { parameters = [] }]) => method !== "get" && !parameters.some(isKey))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}
