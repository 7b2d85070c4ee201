import { AppError } from "@canvass/errors";
import { LRUCache } from "lru-cache";

/** An answer of another service and until when it may be used without asking again (in `performance.now()`). */
export interface Known<Value> {
  value: Value;
  /** 0: never. */
  until: number;
  /** From then on the next use asks again without waiting, so that constant use never waits. */
  renewFrom: number;
}

export interface LastKnownOptions {
  maxEntries: number;
  /** How long an answer may be used after it ran out. */
  staleForMs: number;
  /** How long to wait for an answer before the last one is used. */
  patienceMs: number;
  /** The same while the service is away: longer than an answer usually takes. */
  awayPatienceMs: number;
}

export interface LastKnown<Ref, Value> {
  (ref: Ref): Promise<Value>;
  /** The answer if it may be used without asking; its next use may ask again, without waiting. */
  fresh(ref: Ref): Value | undefined;
  /** Takes an answer that came with another question. */
  learn(ref: Ref, answer: Known<Value>): void;
}

/**
 * Asks through `ask` and falls back to the last answer while the other service is away. After one unanswered question,
 * callers with a last answer wait only `awayPatienceMs`, until an answer comes. Every call still asks, so a service
 * that is back is used at once. Rejects as `ask` does where there is no last answer.
 */
export function createLastKnown<Ref, Value>(
  ask: (ref: Ref) => Promise<Known<Value>>,
  keyOf: (ref: Ref) => string,
  { maxEntries, staleForMs, patienceMs, awayPatienceMs }: LastKnownOptions,
): LastKnown<Ref, Value> {
  const known = new LRUCache<string, Known<Value>>({ max: maxEntries, ttl: staleForMs });
  const renewing = new Set<string>();
  let away = false;

  async function refresh(ref: Ref): Promise<Value> {
    try {
      const answer = await ask(ref);
      away = false;
      learn(ref, answer);
      return answer.value;
    } catch (error) {
      away ||= isAbsence(error);
      throw error;
    }
  }

  function learn(ref: Ref, answer: Known<Value>): void {
    if (answer.until === 0) known.delete(keyOf(ref));
    // A slow answer to an earlier question tells nothing new.
    else if (answer.until >= (known.get(keyOf(ref))?.until ?? 0)) known.set(keyOf(ref), answer);
  }

  async function refreshOr(last: Value, ref: Ref): Promise<Value> {
    const { promise: late, resolve } = Promise.withResolvers<Value>();
    const timer = setTimeout(
      () => {
        away = true;
        resolve(last);
      },
      away ? awayPatienceMs : patienceMs,
    );
    try {
      return await Promise.race([refresh(ref), late]);
    } catch (error) {
      if (isAbsence(error)) return last;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  function renew(ref: Ref): void {
    const key = keyOf(ref);
    if (renewing.has(key)) return;
    renewing.add(key);
    refresh(ref)
      .catch(() => undefined)
      .finally(() => renewing.delete(key));
  }

  async function find(ref: Ref): Promise<Value> {
    const last = known.get(keyOf(ref));
    if (!last) return refresh(ref);
    const now = performance.now();
    if (now >= last.until) return refreshOr(last.value, ref);
    if (now >= last.renewFrom) renew(ref);
    return last.value;
  }

  function fresh(ref: Ref): Value | undefined {
    const last = known.get(keyOf(ref));
    const now = performance.now();
    if (!last || now >= last.until) return undefined;
    if (now >= last.renewFrom) renew(ref);
    return last.value;
  }

  return Object.assign(find, { fresh, learn });
}

function isAbsence(error: unknown): boolean {
  return error instanceof AppError && (error.code === "service_unavailable" || error.code === "deadline_exceeded");
}
