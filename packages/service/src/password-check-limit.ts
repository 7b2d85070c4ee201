import { createKeyedSemaphore, type KeyedSemaphore } from "@canvass/fairness";

/** Limits password checks by workspace. A check takes one of Node's four threads and 16 MiB for some 50 ms. */
export function createPasswordCheckLimit(): KeyedSemaphore {
  return createKeyedSemaphore({ perKey: 1, total: 2, maxWaiting: 20 });
}
