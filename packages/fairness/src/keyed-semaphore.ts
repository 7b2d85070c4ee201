import { AppError } from "@canvass/errors";
import { createFairQueue } from "./fair-queue.ts";

export interface KeyedSemaphoreOptions {
  /** Maximum number of permits of one key, and of all keys. */
  perKey: number;
  total: number;
  /** Permits that only keys without one may take, so that a few keys with long work do not block others. Default 0. */
  reserved?: number;
  /** Maximum number of waiting callers of one key. Further ones fail with `service_unavailable`. Default 0. */
  maxWaiting?: number;
  /** What `acquire` counts: the detail `concurrent_<counted>` of its refusals. */
  counted?: string;
}

export interface KeyedSemaphore {
  /** Takes permits, which disposing releases. Throws `rate_limited` at the key's limit, else `service_unavailable`. */
  acquire(key: string, permits?: number): Disposable;
  /** Runs `work` with a permit. Waits for one, keys round robin. Rejects with the signal's reason if it aborts first. */
  run<Result>(key: string, signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result>;
  readonly waiting: number;
}

interface Key {
  running: number;
  waiting: number;
}

/** Limits concurrent work per key and in total. */
export function createKeyedSemaphore(options: KeyedSemaphoreOptions): KeyedSemaphore {
  const { perKey, total, reserved = 0, maxWaiting = 0, counted = "calls" } = options;
  const keys = new Map<string, Key>();
  const queue = createFairQueue<() => void>();
  let running = 0;

  function known(key: string): Key {
    const of = keys.get(key) ?? { running: 0, waiting: 0 };
    keys.set(key, of);
    return of;
  }

  function hasPermits(key: string, permits = 1): boolean {
    const own = keys.get(key)?.running ?? 0;
    return own + permits <= perKey && running + permits <= (own === 0 ? total : total - reserved);
  }

  function change(key: string, { running: by = 0, waiting = 0 }: Partial<Key>): void {
    const of = known(key);
    of.running += by;
    of.waiting += waiting;
    running += by;
    if (of.running === 0 && of.waiting === 0) keys.delete(key);
  }

  function takeNext(): (() => void) | undefined {
    return queue.take((_begin, key) => hasPermits(key));
  }

  function release(key: string, permits = 1): void {
    change(key, { running: -permits });
    for (let begin = takeNext(); begin; begin = takeNext()) begin();
  }

  function wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    if ((keys.get(key)?.waiting ?? 0) >= maxWaiting) throw new AppError("service_unavailable");
    return new Promise((resolve, reject) => {
      function begin(): void {
        signal?.removeEventListener("abort", leave);
        change(key, { running: 1, waiting: -1 });
        resolve();
      }
      function leave(): void {
        queue.remove(key, begin);
        change(key, { waiting: -1 });
        reject(signal!.reason as Error);
      }
      signal?.addEventListener("abort", leave, { once: true });
      queue.add(key, begin);
      change(key, { waiting: 1 });
    });
  }

  return {
    get waiting() {
      return queue.size;
    },
    acquire(key, permits = 1) {
      if ((keys.get(key)?.running ?? 0) + permits > perKey) {
        const details = { [`concurrent_${counted}`]: perKey };
        throw new AppError("rate_limited", details, `Too many ${counted.replaceAll("_", " ")} at once.`);
      }
      if (!hasPermits(key, permits)) throw new AppError("service_unavailable");
      change(key, { running: permits });
      const held = new DisposableStack();
      held.defer(() => release(key, permits));
      return held;
    },
    async run(key, signal, work) {
      signal?.throwIfAborted();
      if (hasPermits(key)) change(key, { running: 1 });
      else await wait(key, signal);
      try {
        return await work();
      } finally {
        release(key);
      }
    },
  };
}
