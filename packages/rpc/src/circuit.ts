import { AppError } from "@canvass/errors";
import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleAll } from "cockatiel";
import { setTimeout as delay } from "node:timers/promises";

/** Keeps calls from a callee that does not answer. */
export interface Circuit extends Disposable {
  readonly state: CircuitState;
  /** Throws `service_unavailable` unless the circuit is closed. */
  requireClosed(): void;
  /** Tells that a call failed or is late. Asks the callee whether it is there; the circuit opens when it is not. */
  suspect(): void;
  /** Calls the listener each time the callee is found again. */
  onFound(listener: () => void): void;
}

/** Opened by this many probes in a row that fail. */
const probesInARow = 2;
const msBetweenProbes = 250;

/**
 * A circuit that is closed. Calls only raise a suspicion, the probe decides: what a caller asks for may be slow or come
 * with hardly any time left, and must not shut out all others. Once open it is probed until the callee answers, so no
 * caller's request is spent on finding out. `probe` rejects when the callee is not there.
 */
export function createCircuit(probe: (signal: AbortSignal) => Promise<void>): Circuit {
  const breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(probesInARow),
    halfOpenAfter: msBetweenProbes,
  });
  const disposed = new AbortController();
  let probing = false;

  async function probeUntilAnswered(): Promise<void> {
    while (!disposed.signal.aborted) {
      try {
        await breaker.execute(() => probe(disposed.signal));
        return;
      } catch {
        if (breaker.state === CircuitState.Closed) continue;
        await delay(msBetweenProbes, undefined, { ref: false, signal: disposed.signal }).catch(() => undefined);
      }
    }
  }

  return {
    get state() {
      return breaker.state;
    },
    requireClosed() {
      if (breaker.state !== CircuitState.Closed) throw new AppError("service_unavailable");
    },
    suspect() {
      if (probing) return;
      probing = true;
      void probeUntilAnswered().finally(() => (probing = false));
    },
    onFound: (listener) => void breaker.onReset(listener),
    [Symbol.dispose]: () => disposed.abort(),
  };
}
