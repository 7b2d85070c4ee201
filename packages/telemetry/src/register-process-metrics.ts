import type { Registry } from "prom-client";
import { Gauge } from "./instruments.ts";
import { measuredGauge } from "./measured-gauge.ts";

export interface ProcessDescription {
  version: string;
  now: () => Date;
}

/** Registers version and clock as metrics: they reveal processes of an installation that do not fit together. */
export function registerProcessMetrics(registry: Registry, { version, now }: ProcessDescription): void {
  const build = new Gauge({
    name: "canvass_build_info",
    help: "1; the version is a label",
    labelNames: ["version"],
    registers: [registry],
  });
  build.set({ version }, 1);
  measuredGauge(registry, {
    name: "canvass_clock_timestamp_seconds",
    help: "The clock of the process when it was asked",
    measure: () => now().getTime() / 1_000,
  });
}
