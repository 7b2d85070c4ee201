import { collectDefaultMetrics, Registry } from "prom-client";

/** A registry with the process's own figures (CPU, memory, event-loop delay). One for each started process. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
