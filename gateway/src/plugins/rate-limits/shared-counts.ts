import { lruOptions, createBatcher } from "@canvass/fairness";
import { Gauge, singleFlight, type Logger, type Registry } from "@canvass/telemetry";
import { LRUCache } from "lru-cache";
import { createHmac } from "node:crypto";
import { createCallCounter, isUnderWay, rateLimitStatus, type RateLimitStatus } from "./call-counter.ts";
import type { CountStore } from "./count-store.ts";

/** Counts one call. Returns a promise when it must ask the store. Never rejects. */
export type CountCall = (key: string, now: number) => RateLimitStatus | Promise<RateLimitStatus>;

export interface SharedCounts extends AsyncDisposable {
  counter: (name: string, limit: number) => CountCall;
}

export interface SharedCountsOptions {
  store: CountStore;
  /** Hashes keys, so that the store contains no client address. The same in all gateways. */
  secret: string;
  log: Logger;
  metrics: Registry;
  checkMs?: number | undefined;
}

/** Enough for a flood. The store refuses callers that are evicted here. */
const maxRefused = 50_000;
const looksPerPurge = 60;

export function sharingGauge(metrics: Registry): Gauge {
  const gauge = new Gauge({
    name: "canvass_rate_limits_shared",
    help: "1 while calls are counted together with the other gateways, 0 while each counts for itself; no value without a store",
    registers: [metrics],
  });
  gauge.remove();
  return gauge;
}

/** Counts in a store that all gateways share, so that limits are exact. Without it, each gateway counts for itself. */
export async function startSharedCounts(options: SharedCountsOptions): Promise<SharedCounts> {
  const { store, secret, log, metrics, checkMs = 1_000 } = options;
  let present = false;
  let looks = 0;
  let isWarned = false;

  const shown = sharingGauge(metrics);
  const call = createBatcher<string, { calls: number; leftMs: number }>({
    maxSize: 500,
    maxInFlight: 2,
    send: (keys) => countTogether(store, keys),
  });

  function lost(err: unknown): void {
    if (present || !isWarned) log.warn({ err }, "the store of rate limits is away; this gateway counts for itself");
    isWarned = true;
    present = false;
    shown.set(0);
  }

  const look = () => tend().catch(lost);
  const tend = singleFlight(async () => {
    looks += 1;
    if (!present) await store.prepare();
    else if (looks % looksPerPurge === 0) await store.purge();
    else return;
    if (!present) log.info({}, "rate limits are counted together with the other gateways");
    present = true;
    shown.set(1);
  });

  let looking = look();
  await looking;
  const timer = setInterval(() => {
    looking = look();
  }, checkMs).unref();

  function counter(name: string, limit: number): CountCall {
    const own = createCallCounter(limit);
    const refusedUntil = new LRUCache<string, number>(lruOptions(maxRefused));
    return (key, now) => {
      const until = refusedUntil.get(key) ?? 0;
      // Refused callers do not reach the store, so a flood does not, either.
      if (isUnderWay(until, now)) return rateLimitStatus(limit, limit + 1, until - now);
      if (!present) return own(key, now);
      return call(digest(secret, name, key)).then(
        ({ calls, leftMs }) => {
          if (calls > limit) refusedUntil.set(key, now + leftMs);
          return rateLimitStatus(limit, calls, leftMs);
        },
        (error: unknown) => {
          lost(error);
          return own(key, now);
        },
      );
    };
  }

  return {
    counter,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await looking;
      await store[Symbol.asyncDispose]();
    },
  };
}

/** 132 bits make collisions of keys negligible. */
function digest(secret: string, name: string, key: string): string {
  return createHmac("sha256", secret).update(`${name} ${key}`).digest("base64url").slice(0, 22);
}

/** Counts calls in one statement. Returns the number of each call within its minute, in the order given. */
async function countTogether(
  store: Pick<CountStore, "add">,
  keys: readonly string[],
): Promise<{ calls: number; leftMs: number }[]> {
  const counts = new Map<string, number>();
  const rankOf = keys.map((key) => {
    const rank = (counts.get(key) ?? 0) + 1;
    counts.set(key, rank);
    return rank;
  });
  const counted = await store.add([...counts.keys()], [...counts.values()]);
  const byKey = new Map(counted.map((each) => [each.key, each]));
  return keys.map((key, index) => {
    const { calls, leftMs } = byKey.get(key)!;
    return { calls: calls - counts.get(key)! + rankOf[index]!, leftMs };
  });
}
