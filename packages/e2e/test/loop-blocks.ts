import type { System } from "@canvass/dev-env";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect } from "vitest";

const processes = ["gateway", "token", "survey", "response", "distribution", "webhook", "delivery"];

/** Times that a process's own work blocked its event loop for more than 50 ms since the process was ready. */
interface Blocks {
  count: number;
  longestMs: number;
}

/** Keyed by process. */
type LoopBlocks = Record<string, Blocks>;

/** Reads the metrics of every process. A stopped process has none. */
async function readLoopBlocks(system: Pick<System, "opsUrl">): Promise<LoopBlocks> {
  const read = async (name: string) => [name, await readBlocks(system.opsUrl(name))] as const;
  return Object.fromEntries(await Promise.all(processes.map(read)));
}

async function readBlocks(opsUrl: string): Promise<Blocks> {
  const answer = await fetch(`${opsUrl}/metrics`).catch(() => undefined);
  const metrics = (await answer?.text()) ?? "";
  return {
    count: valueOf(metrics, "seconds_count") - valueOf(metrics, 'seconds_bucket{le="0.05"'),
    longestMs: Math.round(valueOf(metrics, "longest_seconds") * 1_000),
  };
}

function valueOf(metrics: string, series: string): number {
  const line = metrics.split("\n").find((each) => each.startsWith(`nodejs_eventloop_hold_${series}`));
  return Number(line?.split(" ").at(-1) ?? 0);
}

/** Runs a step. Returns the processes that blocked their event loop for more than 50 ms meanwhile. */
export async function blocksDuring(system: Pick<System, "opsUrl">, step: () => Promise<unknown>): Promise<LoopBlocks> {
  const before = await readLoopBlocks(system);
  await step();
  return blocksSince(before, system);
}

async function blocksSince(before: LoopBlocks, system: Pick<System, "opsUrl">): Promise<LoopBlocks> {
  // A block is counted by the late timer that follows it.
  await delay(50);
  const blocked = Object.entries(await readLoopBlocks(system)).map(([name, { count, longestMs }]) => {
    const earlier = before[name]?.count ?? 0;
    // A restarted process counts from 0.
    return [name, { count: count < earlier ? count : count - earlier, longestMs }] as const;
  });
  return Object.fromEntries(blocked.filter(([, { count }]) => count > 0));
}

/** Fails each test of the file during which a process of the system blocked its event loop. */
export function expectNoBlockedLoops(system: () => System): void {
  let before: LoopBlocks;
  beforeEach(async () => {
    before = await readLoopBlocks(system());
  });
  afterEach(async () => {
    const blocked = await blocksSince(before, system());
    expect(blocked, "event loops were blocked for more than 50 ms").toEqual({});
  });
}
