import { isDeepStrictEqual } from "node:util";
import { runCanvass } from "@canvass/operator";
import { serviceNames } from "@canvass/processes";
import { waitFor } from "@canvass/testing";
import { readFeed } from "../read-feed.ts";
import { POISON_SURVEY } from "./bus-faults.ts";
import type { FaultWorld, WatchedWorkspace } from "./fault-world.ts";
import type { FeedReader } from "./feed-reader.ts";
import type { Queues } from "./queues.ts";
import type { Completion } from "./respondents.ts";

/** The parts of a world that `evaluate` needs. */
export type EvaluatedWorld = Pick<FaultWorld, "receivers" | "workspaces" | "dataDir">;

export interface Watched extends WatchedWorkspace {
  completions: readonly Completion[];
  feed: FeedReader;
}

const PATIENCE_MS = 300_000;

const UNDELIVERED = `
  SELECT event_id, status, array_agg(outcome || ' ' || to_char(attempted_at, 'HH24:MI:SS') ORDER BY number) AS attempts
  FROM deliveries LEFT JOIN attempts USING (workspace_id, subscription_id, delivery_id)
  WHERE status <> 'delivered' GROUP BY event_id, status LIMIT 10`;

/** Waits until everything has arrived and all queues are empty. On timeout throws with the missing parts. */
export async function waitUntilSettled(
  world: EvaluatedWorld,
  watched: readonly Watched[],
  queues: Queues,
): Promise<void> {
  let missing: string[] = [];
  const settled = async () => {
    missing = [...watched.flatMap(missingOf), ...(await queues.waiting()), ...(await unhealthy(world))];
    return missing.length === 0;
  };
  await waitFor(settled, { describe: "everything to arrive", timeoutMs: PATIENCE_MS }).catch(async (cause: unknown) => {
    const undelivered = JSON.stringify(await queues.query("delivery", UNDELIVERED));
    throw new Error(`missing after ${PATIENCE_MS} ms: ${missing.join("; ")}; ${undelivered}`, { cause });
  });
}

function missingOf({ workspaceId, completions, hooks, feed }: Watched): string[] {
  const told = hooks.map(({ manner, arrivals }) => {
    const absent = completions.filter(({ respondentId }) => !arrivals.has(respondentId));
    return absent.length === 0 ? "" : `${absent.length} at the webhook that is ${manner}, of ${workspaceId}`;
  });
  const read = new Set(feed.events.map(({ data }) => data.response_id));
  const unread = completions.filter(({ respondentId }) => !read.has(respondentId));
  return [...told, unread.length === 0 ? "" : `${unread.length} in the feed of ${workspaceId}`].filter(Boolean);
}

async function unhealthy({ workspaces: [first] }: EvaluatedWorld): Promise<string[]> {
  const { status, raw } = await first!.api.call("GET", "/health");
  return status === 200 ? [] : [raw];
}

/**
 * Compares the system's state with the responses that respondents got. Returns the differences: none if every guarantee
 * held.
 */
export async function evaluate(world: EvaluatedWorld, watched: readonly Watched[], queues: Queues): Promise<string[]> {
  const faults = [...world.receivers.faults];
  for (const each of watched) {
    faults.push(...idsOf(each), ...(await feedOf(each)), ...(await resultsOf(world, each)));
  }
  faults.push(...(await deliveriesOf(watched, queues)), ...(await poisonOf(queues)));
  return faults;
}

/** Each completion has one `webhook-id` per webhook, and nothing else arrives. */
function idsOf({ completions, hooks }: Watched): string[] {
  const known = new Set(completions.map(({ respondentId }) => respondentId));
  return hooks.flatMap(({ arrivals }) =>
    [...arrivals].flatMap(([respondentId, ids]) => {
      if (!known.has(respondentId)) return [`${respondentId} arrived and was never completed`];
      return ids.size === 1 ? [] : [`${respondentId} arrived under ${ids.size} ids`];
    }),
  );
}

/** The events read while following equal the whole feed: no event appeared behind the reader's cursor. */
async function feedOf({ workspaceId, api, completions, feed }: Watched): Promise<string[]> {
  const whole = (await readFeed(api)).events.map(({ id }) => id);
  const followed = feed.events.map(({ id }) => id);
  const respondents = feed.events.map(({ data }) => data.response_id).sort();
  const expected = completions.map(({ respondentId }) => respondentId).sort();
  return [
    isDeepStrictEqual(whole, followed)
      ? ""
      : `the feed of ${workspaceId} has ${whole.length}, ${followed.length} were read`,
    isDeepStrictEqual(respondents, expected) ? "" : `the feed of ${workspaceId} has not each completion once`,
  ].filter(Boolean);
}

async function resultsOf(
  { dataDir }: EvaluatedWorld,
  { workspaceId, api, survey, completions }: Watched,
): Promise<string[]> {
  const { surveyId, ratingId } = survey;
  const count = completions.length;
  const { data } = await api.get(`/response/surveys/${surveyId}/aggregation`);
  const rating = data.questionStats.find(({ elementId }: { elementId: string }) => elementId === ratingId);
  const mean = completions.reduce((sum, each) => sum + each.rating, 0) / count;
  const { totalStarted, totalCompleted } = data.respondentStats;
  const figures = [totalStarted, totalCompleted, rating.responseCount, rating.uniqueRespondents];
  const countOf = async () => (await api.get(`/surveys/${surveyId}`)).data.responseCount === count;
  const counted = await waitFor(countOf, { describe: "the count", timeoutMs: 60_000 }).catch(() => false);
  const verified = await verify(dataDir, workspaceId, surveyId);
  return [
    figures.every((figure) => figure === count) ? "" : `${surveyId}: ${figures.join(", ")} instead of ${count}`,
    Math.abs(rating.distribution.mean - mean) < 1e-9
      ? ""
      : `${surveyId}: mean ${rating.distribution.mean}, not ${mean}`,
    counted ? "" : `${surveyId}: the survey's response count is not ${count}`,
    verified,
  ].filter(Boolean);
}

/** Runs `canvass results verify`, which compares every counter with a fresh count of all answers. */
async function verify(dataDir: string, workspace: string, survey: string): Promise<string> {
  const said: string[] = [];
  const output = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
  const words = ["results", "verify", "--workspace", workspace, "--survey", survey];
  const code = await runCanvass(words, { CANVASS_DATA_DIR: dataDir }, output);
  return code === 0 ? "" : `canvass results verify: ${said.join("")}`;
}

async function deliveriesOf(watched: readonly Watched[], queues: Queues): Promise<string[]> {
  const expected = watched.reduce((sum, { completions, hooks }) => sum + completions.length * hooks.length, 0);
  const rows = await queues.query<{ status: string; count: number }>(
    "delivery",
    `SELECT CASE WHEN d.delivery_id IS NULL THEN x.status ELSE 'pending' END AS status, count(*)::int AS count
     FROM deliveries x LEFT JOIN due_deliveries d USING (workspace_id, subscription_id, delivery_id) GROUP BY 1`,
  );
  const isRight = rows.length === 1 && rows[0]!.status === "delivered" && rows[0]!.count === expected;
  return isRight ? [] : [`deliveries are ${JSON.stringify(rows)} instead of ${expected} delivered`];
}

/** The services set aside only the published poison. */
async function poisonOf(queues: Queues): Promise<string[]> {
  const surveyId = Buffer.from(POISON_SURVEY).toString("hex");
  const statement = `SELECT event_id, error FROM poison_events WHERE position('\\x${surveyId}'::bytea IN payload) = 0`;
  const rows = [];
  for (const service of serviceNames) {
    rows.push(...(await queues.query<{ event_id: string; error: string }>(service, statement)));
  }
  return rows.map(({ event_id, error }) => `${event_id} became poison: ${error}`);
}
