import type { Registry } from "prom-client";
import { Gauge } from "./instruments.ts";
import { giveUpAfter, singleFlight } from "./single-flight.ts";

export type Sample = { labels: Record<string, string>; value: number };

export interface MeasuredGaugeOptions {
  name: string;
  help: string;
  labelNames?: readonly string[];
  /** Returns a number for a gauge without labels, or samples, which replace all earlier ones. */
  measure: () => Promise<number | readonly Sample[]> | number | readonly Sample[];
  /** Milliseconds for which a measurement is reused. Default 0: every reading measures. */
  everyMs?: number;
}

/** Longest wait of a reader, so that a hanging database does not hide the other metrics. */
const patienceMs = 1_000;
/** Longer than a statement may take. After this another measurement may start. */
const longestMs = 60_000;

/** Measures when the metrics are read. While a measurement fails or takes long, the gauge shows the last value. */
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
      // A separate health check reports the failure.
      await giveUpAfter(patienceMs, () => measureNow()).catch(() => undefined);
    },
  });
}
