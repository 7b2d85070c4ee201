import type { DescService } from "@bufbuild/protobuf";
import { Health, HealthCheckResponse_ServingStatus as Status } from "@canvass/proto/health";
import type { Registry } from "@canvass/telemetry";
import { createClient, type Client } from "@connectrpc/connect";
import { watchCallee } from "./callee.ts";
import { channelOpener, type ChannelAddress } from "./channel.ts";
import { createCircuit } from "./circuit.ts";
import { showCircuit } from "./circuit-metric.ts";
import { keepConnection } from "./connection.ts";
import { createGrpcTransport } from "./grpc-transport.ts";

export interface RpcTargetOptions extends ChannelAddress {
  /** Services that are called there: those of their methods that declare no side effects are retried. */
  services: readonly DescService[];
  peerKey?: string | undefined;
  operatorKey?: string | undefined;
  /** Names all calls of a client that is made for one request. */
  requestId?: string | undefined;
  /** Default 10,000. */
  defaultTimeoutMs?: number;
  /** Where the state of the circuit is shown, and under which name; default the host and port. */
  metrics?: Registry | undefined;
  name?: string | undefined;
}

/** A process that is called, over one connection to each of its addresses. */
export interface RpcTarget extends Disposable {
  /** A typed client; its calls throw AppError. */
  client<Service extends DescService>(service: Service): Client<Service>;
  /** `not_serving`: it answers that it can not work. `unreachable`: it does not answer, or calls to it go on failing. */
  health(timeoutMs: number): Promise<"serving" | "not_serving" | "unreachable">;
}

/** More than the second after which a process counts a check of its own as failed. */
const probeTimeoutMs = 1_250;

/**
 * Opens lazily. Calls fail at once with `service_unavailable` while the target does not answer (`createCircuit`), and a
 * connection that breaks calls off is left for another. Throws as `channelOpener` does.
 */
export function connectTarget(options: RpcTargetOptions): RpcTarget {
  const { services, metrics, defaultTimeoutMs = 10_000 } = options;
  const connection = keepConnection(channelOpener(options, services));
  const unwatched = { begin: () => () => undefined };
  const probes = createGrpcTransport({ connection, callee: unwatched, defaultTimeoutMs: probeTimeoutMs });
  const health = createClient(Health, probes);
  const circuit = createCircuit(async (signal) => {
    const { status } = await health.check({}, { signal });
    if (status !== Status.SERVING) throw new Error("the callee does not serve");
  });
  const callee = watchCallee(circuit, () => connection.leave());
  const transport = createGrpcTransport({ ...options, connection, callee, defaultTimeoutMs });
  const shown = metrics && showCircuit(metrics, { target: options.name ?? new URL(options.url).host, circuit });
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
      connection[Symbol.dispose]();
    },
  };
}
