import { AppError } from "@canvass/errors";
import { LRUCache } from "lru-cache";

/** What another service answered, and until when it may be used without asking again (in `performance.now()`). */
export interface Known<Value> {
  value: Value;
  /** 0: it is not to be used again. */
  until: number;
}

export interface LastKnownOptions {
  maxEntries: number;
  /** How long an answer may stand in after it ran out. */
  staleForMs: number;
  /** How long to wait for an answer where an old one could stand in. */
  patienceMs: number;
}

/**
 * Asks through `ask`, and lets the last answer stand in while the other service is away. Once a question went without
 * an answer, those with a last answer wait for none: they are answered with it at once, and the question is repeated in
 * the background until the service is back. Rejects with what `ask` rejects with where nothing can stand in.
 */
export function createLastKnown<Ref, Value>(
  ask: (ref: Ref) => Promise<Known<Value>>,
  keyOf: (ref: Ref) => string,
  { maxEntries, staleForMs, patienceMs }: LastKnownOptions,
): (ref: Ref) => Promise<Value> {
  const known = new LRUCache<string, Known<Value>>({ max: maxEntries, ttl: staleForMs });
  const askedAgain = new Set<string>();
  let away = false;

  async function refresh(ref: Ref): Promise<Value> {
    try {
      const answer = await ask(ref);
      away = false;
      if (answer.until > 0) known.set(keyOf(ref), answer);
      else known.delete(keyOf(ref));
      return answer.value;
    } catch (error) {
      away ||= isAbsence(error);
      throw error;
    }
  }

  function refreshLater(ref: Ref): void {
    const key = keyOf(ref);
    if (askedAgain.has(key)) return;
    askedAgain.add(key);
    void refresh(ref)
      .catch(() => undefined)
      .finally(() => askedAgain.delete(key));
  }

  async function refreshOr(last: Value, ref: Ref): Promise<Value> {
    const { promise: late, resolve } = Promise.withResolvers<Value>();
    const timer = setTimeout(() => {
      away = true;
      resolve(last);
    }, patienceMs);
    try {
      return await Promise.race([refresh(ref), late]);
    } catch (error) {
      if (isAbsence(error)) return last;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return async (ref) => {
    const last = known.get(keyOf(ref));
    if (!last) return refresh(ref);
    if (performance.now() < last.until) return last.value;
    if (!away) return refreshOr(last.value, ref);
    refreshLater(ref);
    return last.value;
  };
}

function isAbsence(error: unknown): boolean {
  return error instanceof AppError && (error.code === "service_unavailable" || error.code === "deadline_exceeded");
}
