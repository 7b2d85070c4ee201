export { lruOptions } from "./lru-options.ts";
export { createBatcher, type BatcherOptions } from "./batcher.ts";
export { createConcurrencyLimit, type ConcurrencyLimit } from "./concurrency-limit.ts";
export { createFairQueue } from "./fair-queue.ts";
export { createKeyedSemaphore, type KeyedSemaphore } from "./keyed-semaphore.ts";
export { createYielder, mapInSlices, runInSlices, runWithYielder, yieldToEventLoop } from "./long-work.ts";
export { createSharedCache, type SharedCache } from "./shared-cache.ts";
export { createTokenBucket } from "./token-bucket.ts";
export { unlessHanging } from "./unless-hanging.ts";
