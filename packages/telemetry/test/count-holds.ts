import type { Registry } from "prom-client";
import { LONGEST_HOLD_MS } from "../src/event-loop-holds.ts";

/** What a histogram of the event loop has counted: in all, and of more than the longest hold that is allowed. */
export async function countHolds(registry: Registry, name: string): Promise<{ all: number; above: number }> {
  const { values } = (await registry.getSingleMetric(name)!.get()) as unknown as {
    values: { labels: { le?: number | string }; value: number; metricName: string }[];
  };
  const all = values.find(({ metricName }) => metricName.endsWith("_count"))!.value;
  const within = values.find(({ labels }) => labels.le === LONGEST_HOLD_MS / 1000)!.value;
  return { all, above: all - within };
}
