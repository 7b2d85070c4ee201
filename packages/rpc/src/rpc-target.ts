import type { DescService } from "@bufbuild/protobuf";
import { Health, HealthCheckResponse_ServingStatus as Status } from "@canvass/proto/health";
import type { Registry } from "@canvass/telemetry";
import { createClient, type Client } from "@connectrpc/connect";
import { callDuration } from "./call-metrics.ts";
import { watchCallee } from "./callee.ts";
import { channelOpener, type ChannelAddress } from "./channel.ts";
import { createCircuit } from "./circuit.ts";
import { registerCircuitMetric } from "./circuit-metric.ts";
import { keepConnection } from "./connection.ts";
import { createGrpcTransport } from "./grpc-transport.ts";
import { keepTrunks } from "./trunk/trunks.ts";

export interface RpcTargetOptions extends ChannelAddress {
  /** Calls of their methods without side effects are retried. */
  services: readonly DescService[];
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

/** Connects lazily. Calls fail with `service_unavailable` while the circuit is open. Throws like `channelOpener`. */
export function connectTarget(options: RpcTargetOptions): RpcTarget {
  const { services, metrics, defaultTimeoutMs = 10_000, probeTimeoutMs = usualProbeTimeoutMs } = options;
  const connection = keepConnection(channelOpener(options, services));
  const unwatched = { begin: () => () => undefined };
  const probes = createGrpcTransport({ connection, callee: unwatched, defaultTimeoutMs: probeTimeoutMs });
  const health = createClient(Health, probes);
  const circuit = createCircuit(async (signal) => {
    const { status } = await health.check({}, { signal });
    if (status !== Status.SERVING) throw new Error("the callee does not serve");
  });
  const callee = watchCallee(circuit, () => connection.leave());
  const trunks = keepTrunks(options);
  const observe = metrics && callDuration(metrics, "client");
  const transport = createGrpcTransport({ ...options, connection, trunks, callee, observe, defaultTimeoutMs });
  const shown =
    metrics && registerCircuitMetric(metrics, { target: options.name ?? new URL(options.url).host, circuit });
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
      trunks[Symbol.dispose]();
      connection[Symbol.dispose]();
    },
  };
}
