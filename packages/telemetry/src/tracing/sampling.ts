import type { TracingConfig } from "./tracing-environment.ts";

/** Ignores the trace id, which the caller chooses. Behind the gateway everything follows its decision. */
export function createSampling(
  { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingConfig,
  random: () => number = Math.random,
): () => boolean {
  if (sampler.endsWith("always_on")) return () => true;
  if (sampler.endsWith("always_off")) return () => false;
  return () => random() < ratio;
}
