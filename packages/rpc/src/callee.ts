import { CircuitState } from "cockatiel";
import type { CallFailure } from "./call-failure.ts";
import type { Circuit } from "./circuit.ts";

/** Watches the calls to one target. */
export interface Callee {
  /**
   * Announces a call; throws `service_unavailable` while the target does not answer. The function it returns is told
   * how the call ended: with what, or by its caller's will.
   */
  begin(timeoutMs: number): (failure?: CallFailure | "cancelled") => void;
  /** Whether calls are refused, or were answered by nobody of late. */
  readonly failing: boolean;
}

/** A call unanswered for this long is worth a question. */
const lateMs = 1_000;
const failuresInARow = 5;
const rememberedMs = 10_000;

/** `leave` gives up the connection. */
export function watchCallee(circuit: Circuit, leave: () => void): Callee {
  let failures = 0;
  let lastFailureAt = 0;
  circuit.onFound(() => (failures = 0));

  function ended(timeoutMs: number, failure: CallFailure | undefined): void {
    if (!failure || failure.kind === "refused") {
      failures = 0;
      return;
    }
    if (failure.kind === "reset") leave();
    circuit.suspect();
    // A call with hardly any time left tells nothing about the callee.
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
        if (failure !== "cancelled") ended(timeoutMs, failure);
      };
    },
    get failing() {
      if (circuit.state !== CircuitState.Closed) return true;
      return failures >= failuresInARow && performance.now() - lastFailureAt < rememberedMs;
    },
  };
}
