import type { TracingConfig } from "./tracing-environment.ts";

/**
 * Whether the next request is traced. By our own chance, not by its trace id: a caller chooses that. Behind the gateway
 * everything follows its decision.
 */
export function createSampling(
  { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingConfig,
  random: () => number = Math.random,
): () => boolean {
  if (sampler.endsWith("always_on")) return () => true;
  if (sampler.endsWith("always_off")) return () => false;
  return () => random() < ratio;
}
