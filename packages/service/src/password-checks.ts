import { createFairQueue, type FairQueue } from "@canvass/rpc";

/**
 * Turns of those who try passwords. A check keeps one of Node's four threads busy, and 16 MiB, for some 50 ms, so two run at
 * once, of two workspaces: guesses at the links of one keep no other waiting for long, and fill no other's places.
 */
export function createPasswordChecks(): FairQueue {
  return createFairQueue({ perOwner: 1, together: 2, mostWaiting: 20 });
}
