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
  /** How long to wait for an answer where the last one could stand in. */
  patienceMs: number;
  /** The same, once a question went without an answer: longer than an answer usually takes. */
  awayPatienceMs: number;
}

/**
 * Asks through `ask`, and lets the last answer stand in while the other service is away. Once a question went without
 * an answer, those with a last answer hardly wait for another; the first that comes ends this. Each asks all the same,
 * so that a service that is back is believed at once. Rejects with what `ask` rejects with where nothing can stand in.
 */
export function createLastKnown<Ref, Value>(
  ask: (ref: Ref) => Promise<Known<Value>>,
  keyOf: (ref: Ref) => string,
  { maxEntries, staleForMs, patienceMs, awayPatienceMs }: LastKnownOptions,
): (ref: Ref) => Promise<Value> {
  const known = new LRUCache<string, Known<Value>>({ max: maxEntries, ttl: staleForMs });
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

  return async (ref) => {
    const last = known.get(keyOf(ref));
    if (!last) return refresh(ref);
    return performance.now() < last.until ? last.value : refreshOr(last.value, ref);
  };
}

function isAbsence(error: unknown): boolean {
  return error instanceof AppError && (error.code === "service_unavailable" || error.code === "deadline_exceeded");
}
