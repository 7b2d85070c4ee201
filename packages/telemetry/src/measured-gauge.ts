import type { Registry } from "prom-client";
import { Gauge } from "./instruments.ts";
import { giveUpAfter, singleFlight } from "./single-flight.ts";

export type Sample = { labels: Record<string, string>; value: number };

export interface MeasuredGaugeOptions {
  name: string;
  help: string;
  labelNames?: readonly string[];
  /** A number, for a gauge without labels; samples, which replace all before. */
  measure: () => Promise<number | readonly Sample[]> | number | readonly Sample[];
  /** Milliseconds for which a measurement counts. Default 0: each reading measures. */
  everyMs?: number;
}

/** Readers wait for a measurement no longer, so that a database that hangs does not hide the other metrics. */
const patienceMs = 1_000;
/** Longer than a statement may take. After it another measurement may succeed. */
const longestMs = 60_000;

/**
 * A gauge that is measured when the metrics are read, once at a time. While that fails or takes long, it shows the last
 * measurement; the next reading tries again, after one that hangs within a minute.
 */
export function measuredGauge(registry: Registry, options: MeasuredGaugeOptions): void {
  const { name, help, labelNames = [], measure, everyMs = 0 } = options;
  let measuredAt = Number.NEGATIVE_INFINITY;

  const measureNow = singleFlight(
    async (_: void, signal) => {
      const measured = await measure();
      if (signal.aborted) return;
      show(measured);
      measuredAt = performance.now();
    },
    { longestMs },
  );

  function show(measured: number | readonly Sample[]): void {
    if (typeof measured === "number") return gauge.set(measured);
    gauge.reset();
    for (const { labels, value } of measured) gauge.set(labels, value);
  }

  const gauge = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      if (performance.now() - measuredAt < everyMs) return;
      // What is measured has a check of its own.
      await giveUpAfter(patienceMs, () => measureNow()).catch(() => undefined);
    },
  });
}
