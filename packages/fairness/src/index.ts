export { lruOptions } from "./lru-options.ts";
export { createBatcher, type BatcherOptions } from "./batcher.ts";
export { createConcurrencyLimit, type ConcurrencyLimit, type ConcurrencyLimitOptions } from "./concurrency-limit.ts";
export { createFairQueue, type FairQueue } from "./fair-queue.ts";
export { createKeyedSemaphore, type KeyedSemaphore, type KeyedSemaphoreOptions } from "./keyed-semaphore.ts";
export { createYielder, mapInSlices, runInSlices, runWithYielder, yieldToEventLoop } from "./long-work.ts";
export { createSharedCache, type SharedCache } from "./shared-cache.ts";
export { createTokenBucket, type TokenBucket, type TokenBucketOptions } from "./token-bucket.ts";
export { unlessHanging } from "./unless-hanging.ts";
