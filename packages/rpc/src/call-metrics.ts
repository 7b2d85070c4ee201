import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { Histogram, type Registry } from "@canvass/telemetry";

type Direction = "client" | "server";

export type ObserveCall = (method: DescMethod, ms: number, error?: unknown) => void;

const help = {
  client: "Duration of outbound RPCs; of a stream, until its first message",
  server: "Duration of inbound RPCs",
};

/**
 * Registers OpenTelemetry's `rpc.<direction>.call.duration`, in seconds, once for all connections of a process. Returns
 * the function that observes a call.
 */
export function registerCallDuration(metrics: Registry, direction: Direction): ObserveCall {
  const name = `rpc_${direction}_call_duration_seconds`;
  const known = metrics.getSingleMetric(name) as Histogram | undefined;
  const duration =
    known ??
    new Histogram({
      name,
      help: help[direction],
      labelNames: ["rpc_method", "rpc_response_status_code"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [metrics],
    });
  return (method, ms, error) => {
    const labels = { rpc_method: methodName(method), rpc_response_status_code: statusOf(error) };
    duration.observe(labels, ms / 1000);
  };
}

export const methodName = ({ parent, name }: DescMethod): string => `${parent.typeName}/${name}`;

function statusOf(error: unknown): string {
  if (error === undefined) return "OK";
  return statusNames.get(ConnectError.from(error).code) ?? "UNKNOWN";
}

const statusNames = new Map(
  Object.entries(Code)
    .filter(([, code]) => typeof code === "number")
    .map(([name, code]) => [code as Code, name.replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase()]),
);
