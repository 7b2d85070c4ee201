import type { Registry } from "prom-client";
import { LONGEST_BLOCK_MS } from "../src/event-loop-blocks.ts";

/** Returns the counts of a histogram of the event loop: all samples, and those above the longest allowed block. */
export async function countBlocks(registry: Registry, name: string): Promise<{ all: number; above: number }> {
  const { values } = (await registry.getSingleMetric(name)!.get()) as unknown as {
    values: { labels: { le?: number | string }; value: number; metricName: string }[];
  };
  const all = values.find(({ metricName }) => metricName.endsWith("_count"))!.value;
  const within = values.find(({ labels }) => labels.le === LONGEST_BLOCK_MS / 1000)!.value;
  return { all, above: all - within };
}
