import type { System } from "@canvass/dev-env";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect } from "vitest";

const processes = ["gateway", "token", "survey", "response", "distribution", "webhook", "delivery"];

/** Times that a process's own work blocked its event loop for more than 50 ms since the process was ready. */
interface Holds {
  count: number;
  longestMs: number;
}

/** Keyed by process. */
type LoopHolds = Record<string, Holds>;

/** Reads the metrics of every process. A stopped process has none. */
async function readLoopHolds(system: Pick<System, "opsUrl">): Promise<LoopHolds> {
  const read = async (name: string) => [name, await readHolds(system.opsUrl(name))] as const;
  return Object.fromEntries(await Promise.all(processes.map(read)));
}

async function readHolds(opsUrl: string): Promise<Holds> {
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
export async function holdsDuring(system: Pick<System, "opsUrl">, step: () => Promise<unknown>): Promise<LoopHolds> {
  const before = await readLoopHolds(system);
  await step();
  return holdsSince(before, system);
}

async function holdsSince(before: LoopHolds, system: Pick<System, "opsUrl">): Promise<LoopHolds> {
  // A hold is counted by the late timer that follows it.
  await delay(50);
  const held = Object.entries(await readLoopHolds(system)).map(([name, { count, longestMs }]) => {
    const earlier = before[name]?.count ?? 0;
    // A restarted process counts from 0.
    return [name, { count: count < earlier ? count : count - earlier, longestMs }] as const;
  });
  return Object.fromEntries(held.filter(([, { count }]) => count > 0));
}

/** Fails each test of the file during which a process of the system blocked its event loop. */
export function expectNoHolds(system: () => System): void {
  let before: LoopHolds;
  beforeEach(async () => {
    before = await readLoopHolds(system());
  });
  afterEach(async () => {
    const held = await holdsSince(before, system());
    expect(held, "event loops were held for more than 50 ms").toEqual({});
  });
}
