import { collectDefaultMetrics, Registry } from "prom-client";

/**
 * A registry with the process's own figures (CPU, memory, garbage collection). One for each started process. How late
 * the event loop is comes from watchEventLoop; prom-client's own sampler would wake an idle process 100 times a second.
 */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 3_600_000 });
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith("nodejs_eventloop_lag")) registry.removeSingleMetric(name);
  return registry;
}
