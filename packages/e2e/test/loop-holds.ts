import type { System } from "@canvass/dev-env";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect } from "vitest";

const processes = ["gateway", "token", "survey", "response", "distribution", "webhook", "delivery"];

/** Holds of more than 50 ms by a process' own work, counted since it was ready. */
export type LoopHolds = Record<string, number>;

/** Reads the metrics of every process. A stopped process counts none. */
export async function readLoopHolds(system: Pick<System, "opsUrl">): Promise<LoopHolds> {
  const read = async (name: string) => [name, await readHolds(system.opsUrl(name))] as const;
  return Object.fromEntries(await Promise.all(processes.map(read)));
}

async function readHolds(opsUrl: string): Promise<number> {
  const answer = await fetch(`${opsUrl}/metrics`).catch(() => undefined);
  const metrics = (await answer?.text()) ?? "";
  return valueOf(metrics, "count") - valueOf(metrics, 'bucket{le="0.05"');
}

function valueOf(metrics: string, series: string): number {
  const line = metrics.split("\n").find((each) => each.startsWith(`nodejs_eventloop_hold_seconds_${series}`));
  return Number(line?.split(" ").at(-1) ?? 0);
}

/** Runs a step. Returns the processes that held their event loops for more than 50 ms meanwhile, with counts. */
export async function holdsDuring(system: Pick<System, "opsUrl">, step: () => Promise<unknown>): Promise<LoopHolds> {
  const before = await readLoopHolds(system);
  await step();
  // The late timer after a hold counts it.
  await delay(50);
  return newHolds(before, await readLoopHolds(system));
}

/** A restarted process counts from 0. */
function newHolds(before: LoopHolds, after: LoopHolds): LoopHolds {
  const grown = Object.entries(after).map(([name, count]) => {
    const earlier = before[name] ?? 0;
    return [name, count < earlier ? count : count - earlier] as const;
  });
  return Object.fromEntries(grown.filter(([, count]) => count > 0));
}

/** Fails each test of the file during which a process of the system held its event loop. */
export function expectNoHolds(system: () => System): void {
  let before: LoopHolds;
  beforeEach(async () => {
    before = await readLoopHolds(system());
  });
  afterEach(async () => {
    await delay(50);
    const held = newHolds(before, await readLoopHolds(system()));
    expect(held, "event loops were held for more than 50 ms").toEqual({});
  });
}
