import type { ApiResponse, ApiClient } from "../src/index.ts";
import type { KeyedWrite } from "./keyed-writes/keyed-operation.ts";

export function sendWrite(api: ApiClient, write: KeyedWrite, key: string): Promise<ApiResponse> {
  const { method, path, body, headers } = write;
  return api.call(method, path, { body, headers: { ...headers, "idempotency-key": key } });
}

/** The parts of a response that a replay repeats byte for byte (contract 3.5). */
export function shown({ status, raw, headers }: ApiResponse) {
  return { status, raw, etag: headers.get("etag"), requestId: headers.get("x-request-id") };
}
