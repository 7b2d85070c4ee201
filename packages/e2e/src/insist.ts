import { randomUUID } from "node:crypto";
import type { ApiResponse, ApiClient } from "./api-client.ts";
import { repeatUntilFinal } from "./repeat-until-final.ts";

/** Repeats a POST with one idempotency key until it has a final response. */
export function insist(
  api: Pick<ApiClient, "call">,
  path: string,
  body: unknown,
  patienceMs = 60_000,
): Promise<ApiResponse> {
  const options = { body, headers: { "idempotency-key": randomUUID() } };
  // A broken connection leaves open whether the write happened. Repeating it with its key may break again.
  const send = () => api.call("POST", path, options).catch(() => undefined);
  return repeatUntilFinal(send, { describe: `POST ${path}`, patienceMs });
}
