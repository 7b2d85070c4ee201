import type { Registry } from "prom-client";
import { Gauge } from "./instruments.ts";

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

/**
 * A gauge that is measured when the metrics are read, once at a time. While that fails or takes long, it shows the last
 * measurement.
 */
export function measuredGauge(registry: Registry, options: MeasuredGaugeOptions): void {
  const { name, help, labelNames = [], measure, everyMs = 0 } = options;
  let measuring: Promise<void> | undefined;
  let measuredAt = Number.NEGATIVE_INFINITY;

  async function measureNow(): Promise<void> {
    try {
      show(await measure());
      measuredAt = performance.now();
    } catch {
      // What is measured has a check of its own.
    } finally {
      measuring = undefined;
    }
  }

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
      if (!measuring && performance.now() - measuredAt < everyMs) return;
      await atMost(patienceMs, (measuring ??= measureNow()));
    },
  });
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, late]);
  clearTimeout(timer);
}
