import { collectDefaultMetrics, Registry } from "prom-client";
import { Type, type Static, type TObject } from "typebox";
import { SilentRegistry } from "./instruments.ts";

export const metricsEnvironment = {
  OTEL_METRICS_EXPORTER: Type.Enum(["prometheus", "none"], {
    default: "prometheus",
    description: "`none`: nothing is measured, and `/metrics` answers 404",
  }),
} as const;

export type MetricsConfig = Static<TObject<typeof metricsEnvironment>>;

/** Omits prom-client's event loop sampler, which would wake an idle process 100 times a second. */
export function createMetrics(service: string, config?: MetricsConfig): Registry {
  if (config?.OTEL_METRICS_EXPORTER === "none") return new SilentRegistry();
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 3_600_000 });
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith("nodejs_eventloop_lag")) registry.removeSingleMetric(name);
  return registry;
}
