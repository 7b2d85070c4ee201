import { randomUUID } from "node:crypto";
import type { ApiAnswer, ApiClient } from "./api-client.ts";
import { repeatUntilFinal } from "./repeat-until-final.ts";

/** Repeats a POST under its key until it is answered for good. */
export function insist(
  api: Pick<ApiClient, "call">,
  path: string,
  body: unknown,
  patienceMs = 60_000,
): Promise<ApiAnswer> {
  const options = { body, headers: { "idempotency-key": randomUUID() } };
  // After a broken connection the write may or may not be made; repeating it with its key may break again.
  const send = () => api.call("POST", path, options).catch(() => undefined);
  return repeatUntilFinal(send, { describe: `POST ${path}`, patienceMs });
}
