import { collectDefaultMetrics, Registry } from "prom-client";

/**
 * A registry with the process's metrics (CPU, memory, garbage collection), one per process. watchEventLoop measures the
 * event loop; prom-client's sampler would wake an idle process 100 times a second.
 */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 3_600_000 });
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith("nodejs_eventloop_lag")) registry.removeSingleMetric(name);
  return registry;
}
