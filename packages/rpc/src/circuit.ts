import { AppError } from "@canvass/errors";
import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleAll } from "cockatiel";
import { setTimeout as delay } from "node:timers/promises";

export interface Circuit extends Disposable {
  readonly state: CircuitState;
  /** Throws `service_unavailable` unless the circuit is closed. */
  requireClosed(): void;
  /** Probes the callee after a failed or late call. The circuit opens if probes fail. */
  suspect(): void;
  /** Calls `listener` each time the circuit closes again. */
  onClosed(listener: () => void): void;
}

const probesInARow = 2;
const msBetweenProbes = 250;

/** Only probes open and close it: one caller's slow call must not shut out others. `probe` rejects on failure. */
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
    onClosed: (listener) => void breaker.onReset(listener),
    [Symbol.dispose]: () => disposed.abort(),
  };
}
