import type { DescService } from "@bufbuild/protobuf";
import { Health, HealthCheckResponse_ServingStatus as Status } from "@canvass/proto/health";
import { type Registry, Gauge } from "@canvass/telemetry";
import { createClient, type Client } from "@connectrpc/connect";
import { registerCallDuration } from "./call-metrics.ts";
import { watchCallee } from "./callee.ts";
import { createCircuit, type Circuit } from "./circuit.ts";
import { keepSessions, type ServerAddress } from "./sessions.ts";
import { createRpcTransport } from "./transport.ts";
import { CircuitState } from "cockatiel";

export interface RpcTargetOptions extends ServerAddress {
  peerKey?: string | undefined;
  operatorKey?: string | undefined;
  requestId?: string | undefined;
  defaultTimeoutMs?: number;
  /** Time limit of a health probe. Two failed probes in a row open the circuit. Default 1,250. */
  probeTimeoutMs?: number;
  /** For metrics of its calls and circuit. The default name is host and port. */
  metrics?: Registry | undefined;
  name?: string | undefined;
}

/** A process that is called, with one connection to each of its addresses. */
export interface RpcTarget extends Disposable {
  /** Its calls throw AppError. */
  client<Service extends DescService>(service: Service): Client<Service>;
  /** `unreachable`: it does not respond, or calls keep failing. */
  health(timeoutMs: number): Promise<"serving" | "not_serving" | "unreachable">;
}

/** Longer than the second that a process allows for its own checks. */
const usualProbeTimeoutMs = 1_250;

/** Connects lazily. Calls fail with `service_unavailable` while the circuit is open. Throws like `keepSessions`. */
export function connectTarget(options: RpcTargetOptions): RpcTarget {
  const { url, metrics, defaultTimeoutMs = 10_000, probeTimeoutMs = usualProbeTimeoutMs } = options;
  const sessions = keepSessions(options);
  const unwatched = { begin: () => () => undefined };
  const probes = createRpcTransport({ url, sessions, callee: unwatched, defaultTimeoutMs: probeTimeoutMs });
  const health = createClient(Health, probes);
  const circuit = createCircuit(async (signal) => {
    const { status } = await health.check({}, { signal });
    if (status !== Status.SERVING) throw new Error("the callee does not serve");
  });
  const callee = watchCallee(circuit, () => sessions.leave());
  const observe = metrics && registerCallDuration(metrics, "client");
  const transport = createRpcTransport({ ...options, sessions, callee, observe, defaultTimeoutMs });
  const shown = metrics && registerCircuitMetric(metrics, { target: options.name ?? new URL(url).host, circuit });
  return {
    client: (service) => createClient(service, transport),
    async health(timeoutMs) {
      try {
        const { status } = await health.check({}, { timeoutMs });
        if (status !== Status.SERVING) return "not_serving";
        return callee.failing ? "unreachable" : "serving";
      } catch {
        return "unreachable";
      }
    },
    [Symbol.dispose]() {
      shown?.[Symbol.dispose]();
      circuit[Symbol.dispose]();
      sessions[Symbol.dispose]();
    },
  };
}

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
function registerCircuitMetric(metrics: Registry, shown: Shown): Disposable {
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
