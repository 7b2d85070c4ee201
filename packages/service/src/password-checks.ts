import { createFairQueue, type FairQueue } from "@canvass/rpc";

/** Queues password checks fairly by workspace. A check takes one of Node's four threads and 16 MiB for some 50 ms. */
export function createPasswordChecks(): FairQueue {
  return createFairQueue({ perOwner: 1, together: 2, mostWaiting: 20 });
}
