import { randomUUID } from "node:crypto";
import { waitFor } from "@canvass/testing";
import type { ApiAnswer, ApiClient } from "./api-client.ts";

/** Repeats a POST under its key until it is answered for good. */
export function insist(api: ApiClient, path: string, body: unknown, timeoutMs = 60_000): Promise<ApiAnswer> {
  const options = { body, headers: { "idempotency-key": randomUUID() } };
  return waitFor(
    async () => {
      // After a broken connection the write may or may not be made; repeating it with its key may break again.
      const answer = await api.call("POST", path, options).catch(() => undefined);
      if (answer === undefined || answer.body.error?.retryable) return undefined;
      return answer;
    },
    { describe: `POST ${path} to be answered`, timeoutMs },
  );
}
