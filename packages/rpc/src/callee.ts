import { CircuitState } from "cockatiel";
import type { CallFailure } from "./call-failure.ts";
import type { Circuit } from "./circuit.ts";

export interface Callee {
  /** Begins a call; throws `service_unavailable` while the circuit is open. Call the result when the call has ended. */
  begin(timeoutMs: number): (failure?: CallFailure | "cancelled") => void;
  /** The circuit is not closed, or calls failed in a row a moment ago. */
  readonly failing: boolean;
}

/** A call without a response for this long makes the circuit probe the callee. */
const lateMs = 1_000;
const failuresInARow = 5;
const rememberedMs = 10_000;

/** `leave` is called when the callee resets a stream: later calls need another connection. */
export function watchCallee(circuit: Circuit, leave: () => void): Callee {
  let failures = 0;
  let lastFailureAt = 0;
  circuit.onClosed(() => (failures = 0));

  function recordEnd(timeoutMs: number, failure: CallFailure | undefined): void {
    if (!failure || failure.kind === "refused") {
      failures = 0;
      return;
    }
    if (failure.kind === "reset") leave();
    circuit.suspect();
    // A short deadline proves nothing about the callee.
    if (failure.error.code === "deadline_exceeded" && timeoutMs < lateMs) return;
    failures += 1;
    lastFailureAt = performance.now();
  }

  return {
    begin(timeoutMs) {
      circuit.requireClosed();
      const late = setTimeout(() => circuit.suspect(), lateMs);
      return (failure) => {
        clearTimeout(late);
        if (failure !== "cancelled") recordEnd(timeoutMs, failure);
      };
    },
    get failing() {
      if (circuit.state !== CircuitState.Closed) return true;
      return failures >= failuresInARow && performance.now() - lastFailureAt < rememberedMs;
    },
  };
}
