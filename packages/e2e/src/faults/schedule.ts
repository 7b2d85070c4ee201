import { faultKinds, type FaultKind } from "./fault-kinds.ts";
import { between, pick, randomFrom, shuffled } from "./random.ts";

export interface PlannedFault {
  /** Milliseconds after the start. */
  atMs: number;
  kind: FaultKind;
  /** Name of the process, server or receiver fault. */
  target: string;
  holdMs: number;
}

const GAP_MS = [800, 5000] as const;

/** Draws the faults of a run. Each kind occurs once before any repeats. */
export function drawFaults(seed: number, durationMs: number): PlannedFault[] {
  const random = randomFrom(seed);
  const faults: PlannedFault[] = [];
  let bag: FaultKind[] = [];
  for (let atMs = between(random, ...GAP_MS); atMs < durationMs; atMs += between(random, ...GAP_MS)) {
    if (bag.length === 0) bag = shuffled(random, Object.keys(faultKinds) as FaultKind[]);
    const kind = bag.pop()!;
    const { targets, holdMs } = faultKinds[kind];
    faults.push({ atMs, kind, target: pick(random, targets), holdMs: between(random, ...holdMs) });
  }
  return faults;
}
