import { AppError } from "@canvass/errors";
import pLimit from "p-limit";
import { isPassword } from "./hash-password.ts";

/** Each keeps a thread of Node's pool of four busy, and 16 MiB, for some 50 ms. */
const atOnce = 2;
/** Those behind would wait for seconds. */
const mostWaiting = 50;

export type CheckPassword = (password: string, hash: string) => Promise<boolean>;

/**
 * Checks passwords of strangers: two at a time, so that guessing takes neither all threads nor memory. Throws
 * `service_unavailable` when too many wait.
 */
export function createPasswordChecks(check: CheckPassword = isPassword): CheckPassword {
  const limit = pLimit(atOnce);
  return async (password, hash) => {
    if (limit.pendingCount >= mostWaiting) throw new AppError("service_unavailable", { part: "passwords" });
    return limit(() => check(password, hash));
  };
}
