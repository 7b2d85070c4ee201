export { createLeaseQueue, type ClaimOptions, type Lease, type LeaseQueue } from "./lease-queue.ts";
export { backOffMs, startLoop, type Loop, type LoopOptions } from "./loop.ts";
