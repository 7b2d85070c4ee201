import { setTimeout as delay } from "node:timers/promises";
import { faultKinds } from "./fault-kinds.ts";
import type { FaultWorld } from "./fault-world.ts";
import { followFeed } from "./feed-reader.ts";
import { evaluate, waitUntilSettled, type Watched } from "./evaluate.ts";
import { openQueues } from "./queues.ts";
import { sendRespondents } from "./respondents.ts";
import { drawFaults, type PlannedFault } from "./schedule.ts";

export interface FaultFigures {
  faults: number;
  completions: number;
  /** Webhooks that arrived. */
  arrivals: number;
  /** Arrivals after the first one of the same completion at the same webhook. */
  repeats: number;
  /** Milliseconds from the response to a completion to its first successful arrival at a webhook. */
  longestWaitMs: number;
  /** Milliseconds until a request had its final response, including repeats. */
  longestAnswerMs: number;
  /** Milliseconds from the last fault until everything had arrived and all queues were empty. */
  settledMs: number;
}

export interface FaultReport extends FaultFigures {
  /** Differences from the responses that respondents got. */
  broken: readonly string[];
}

export interface FaultRunOptions {
  seed: number;
  durationMs: number;
  say: (line: string) => void;
}

/** Sends respondents while scheduled faults strike, then compares the system's state with the responses they got. */
export async function runFaults(world: FaultWorld, { seed, durationMs, say }: FaultRunOptions): Promise<FaultReport> {
  await using queues = openQueues(world.system.local.databaseUrl);
  const plan = drawFaults(seed, durationMs);
  const parts = world.workspaces.map((workspace) => ({
    respondents: sendRespondents(workspace),
    feed: followFeed(workspace.api),
    workspace,
  }));
  const watched: Watched[] = parts.map(({ workspace, respondents, feed }) => ({
    ...workspace,
    completions: respondents.completions,
    feed,
  }));
  await strikeAll(world, plan, say);
  const struck = performance.now();
  await Promise.all(parts.map(({ respondents }) => respondents.stop()));
  say("the last fault is over; waiting until everything has arrived");
  try {
    await waitUntilSettled(world, watched, queues);
  } finally {
    await Promise.all(parts.map(({ feed }) => feed.stop()));
  }
  const settledMs = performance.now() - struck;
  const refused = parts.flatMap(({ respondents }) => respondents.faults);
  const broken = [...refused, ...(await evaluate(world, watched, queues))];
  const longestAnswerMs = Math.max(...parts.map(({ respondents }) => respondents.longestAnswerMs));
  return { faults: plan.length, ...countArrivals(watched), longestAnswerMs, settledMs, broken };
}

/** Starts each fault at its time, but never two at once on the same target. */
async function strikeAll(world: FaultWorld, plan: readonly PlannedFault[], say: (line: string) => void): Promise<void> {
  const begun = performance.now();
  const seconds = () => `${((performance.now() - begun) / 1000).toFixed(1)} s`.padStart(9);
  const busy = new Map<string, Promise<void>>();
  for (const { atMs, kind, target, holdMs } of plan) {
    await delay(Math.max(atMs - (performance.now() - begun), 0));
    const strike = async (before: Promise<void> | undefined) => {
      await before;
      // Another fault's target may not be ready, so ignore a timeout.
      await world.system.waitReady().catch(() => undefined);
      say(`${seconds()}  ${kind}: ${target}${holdMs > 0 ? `, ${holdMs} ms` : ""}`);
      await faultKinds[kind].strike(world, target, holdMs);
    };
    busy.set(target, strike(busy.get(target)));
  }
  await Promise.all(busy.values());
}

/** Counts the completions' webhook arrivals and finds the longest wait. */
export function countArrivals(watched: readonly Watched[]) {
  const all = watched.flatMap(({ completions, hooks }) =>
    hooks.flatMap(({ arrivals }) =>
      completions.map(({ respondentId, at }) => {
        const times = [...(arrivals.get(respondentId)?.values() ?? [])].flat();
        return { count: times.length, waitMs: Math.min(...times) - at };
      }),
    ),
  );
  const arrivals = all.reduce((sum, { count }) => sum + count, 0);
  return {
    completions: watched.reduce((sum, { completions }) => sum + completions.length, 0),
    arrivals,
    repeats: arrivals - all.length,
    longestWaitMs: all.reduce((longest, { waitMs }) => Math.max(longest, waitMs), 0),
  };
}
