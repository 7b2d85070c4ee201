import { createFairQueue, type FairQueue } from "@canvass/rpc";

/**
 * Queues password checks fairly by workspace. A check occupies one of Node's four threads and 16 MiB for some 50 ms, so
 * two run at a time, of different workspaces. Guesses at one workspace's links neither delay other workspaces for long
 * nor fill their queues.
 */
export function createPasswordChecks(): FairQueue {
  return createFairQueue({ perOwner: 1, together: 2, mostWaiting: 20 });
}
