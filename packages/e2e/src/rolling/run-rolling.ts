import { followFeed } from "../faults/feed-reader.ts";
import { evaluate, waitUntilSettled, type Watched } from "../faults/evaluate.ts";
import { openQueues } from "../faults/queues.ts";
import { sendRespondents } from "../faults/respondents.ts";
import { countArrivals } from "../faults/run-faults.ts";
import { sendCallers } from "./callers.ts";
import type { RollingWorld } from "./rolling-world.ts";
import type { Row } from "./tally.ts";

export interface RollingReport {
  /** Keyed by process. */
  rows: Record<string, Row>;
  failures: readonly string[];
  completions: number;
  arrivals: number;
  repeats: number;
  longestWaitMs: number;
  /** Completions that waited more than three seconds for their webhook, with the time of their response. */
  late: readonly string[];
  /** Differences from the responses that callers got. */
  broken: readonly string[];
}

export interface RollingOptions {
  /** Minimum duration. Each replica restarts at least once. */
  durationMs: number;
  /** Concurrent respondents per workspace. */
  respondents?: number;
  /** Names of processes. Default: all. */
  only?: readonly string[] | undefined;
  say?: (line: string) => void;
}

/**
 * Restarts every replica, one after the other, while callers work. Then compares the system's state with the responses
 * they got.
 */
export async function runRolling(world: RollingWorld, options: RollingOptions): Promise<RollingReport> {
  const { respondents = 3 } = options;
  await using queues = openQueues(world.databaseUrl);
  const parts = world.workspaces.map((workspace, index) => ({
    workspace,
    label: `Rolling ${index}`,
    respondents: Array.from({ length: respondents }, () => sendRespondents(workspace)),
    callers: sendCallers(workspace, `Rolling ${index}`),
    feed: followFeed(workspace.api),
  }));
  await restartAll(world, options);
  await Promise.all(parts.flatMap((part) => [...part.respondents, part.callers].map((each) => each.stop())));
  const watched: Watched[] = parts.map((part) => ({
    ...part.workspace,
    completions: part.respondents.flatMap(({ completions }) => completions),
    feed: part.feed,
  }));
  try {
    await waitUntilSettled(world, watched, queues);
  } finally {
    await Promise.all(parts.map(({ feed }) => feed.stop()));
  }
  const surveys = await Promise.all(parts.map((part) => surveysNotThereOnce(part.workspace.api, part.callers.created)));
  const answered = parts.flatMap((part) => [...part.respondents, part.callers].flatMap(({ faults }) => [...faults]));
  const broken = [...world.deaths, ...answered, ...surveys.flat(), ...(await evaluate(world, watched, queues))];
  const { rows, failures } = world.tally;
  return {
    rows: Object.fromEntries(rows),
    failures: [...failures],
    ...countArrivals(watched),
    late: watched.flatMap(lateArrivals),
    broken,
  };
}

const LATE_MS = 3_000;

function lateArrivals({ completions, hooks }: Watched): string[] {
  return completions.flatMap(({ respondentId, at }) => {
    const arrived = hooks.flatMap(({ arrivals }) => [...(arrivals.get(respondentId)?.values() ?? [])].flat());
    const waitMs = Math.round(Math.min(...arrived) - at);
    return waitMs > LATE_MS ? [`${new Date(performance.timeOrigin + at).toISOString()}: ${waitMs} ms`] : [];
  });
}

async function restartAll(
  { replicas, tally }: RollingWorld,
  { durationMs, only, say = () => undefined }: RollingOptions,
): Promise<void> {
  const begun = performance.now();
  const chosen = replicas.filter(({ name }) => only?.includes(name) ?? true);
  do {
    for (const replica of chosen) {
      tally.restarting(replica.name);
      const at = performance.now();
      await replica.stop();
      const endedMs = performance.now() - at;
      tally.ended(endedMs);
      await replica.start();
      const readyMs = performance.now() - at - endedMs;
      const times = `ended in ${Math.round(endedMs)} ms, ready in ${Math.round(readyMs)}`;
      say(`${new Date().toISOString()}: ${replica.name} ${times}; ${tally.failures.length} failures`);
    }
  } while (performance.now() - begun < durationMs);
}

type Api = RollingWorld["workspaces"][number]["api"];

/** Checks that each survey whose creation succeeded exists exactly once. Returns those that do not. */
async function surveysNotThereOnce(api: Api, created: readonly string[]): Promise<string[]> {
  const counts = new Map<string, number>();
  for (let cursor = ""; ;) {
    const page = await api.get<{ name: string }[]>(`/surveys?limit=100${cursor}`);
    for (const { name } of page.data) counts.set(name, (counts.get(name) ?? 0) + 1);
    const next = page.body.pagination.cursor_next;
    if (!page.body.pagination.hasMore) break;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  return created
    .filter((name) => counts.get(name) !== 1)
    .map((name) => `${name} is there ${counts.get(name) ?? 0} times`);
}
