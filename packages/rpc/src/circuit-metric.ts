import { Gauge, type Registry } from "@canvass/telemetry";
import { CircuitState } from "cockatiel";
import type { Circuit } from "./circuit.ts";

const figures: Partial<Record<CircuitState, number>> = {
  [CircuitState.Closed]: 0,
  [CircuitState.HalfOpen]: 1,
  [CircuitState.Open]: 2,
};

interface Shown {
  target: string;
  circuit: Circuit;
}

const shownBy = new WeakMap<Registry, Set<Shown>>();

/** Exports the circuit state by target; the worst if a target has several circuits. */
export function registerCircuitMetric(metrics: Registry, shown: Shown): Disposable {
  let all = shownBy.get(metrics);
  if (!all) {
    all = new Set();
    shownBy.set(metrics, all);
    registerGauge(metrics, all);
  }
  const others = all.add(shown);
  return { [Symbol.dispose]: () => void others.delete(shown) };
}

function registerGauge(metrics: Registry, all: ReadonlySet<Shown>): void {
  const gauge: Gauge = new Gauge({
    name: "canvass_rpc_circuit_state",
    help: "Whether calls to a target are let through: 0 they are, 1 it is being tried, 2 they are refused",
    labelNames: ["target"],
    registers: [metrics],
    collect() {
      gauge.reset();
      const worst = new Map<string, number>();
      for (const { target, circuit } of all) {
        worst.set(target, Math.max(worst.get(target) ?? 0, figures[circuit.state] ?? 0));
      }
      for (const [target, figure] of worst) gauge.set({ target }, figure);
    },
  });
}
