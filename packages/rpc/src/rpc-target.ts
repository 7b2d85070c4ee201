import type { DescService } from "@bufbuild/protobuf";
import { Health, HealthCheckResponse_ServingStatus as Status } from "@canvass/proto/health";
import type { Registry } from "@canvass/telemetry";
import { createClient, type Client } from "@connectrpc/connect";
import { callDuration } from "./call-metrics.ts";
import { watchCallee } from "./callee.ts";
import { createCircuit } from "./circuit.ts";
import { registerCircuitMetric } from "./circuit-metric.ts";
import { keepSessions, type ServerAddress } from "./sessions.ts";
import { createRpcTransport } from "./transport.ts";

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
  const observe = metrics && callDuration(metrics, "client");
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
