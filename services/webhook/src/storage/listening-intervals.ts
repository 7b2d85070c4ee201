import type { Sql } from "@canvass/postgres";
import { hadWebhooksSql, type Evaluated } from "@canvass/plan-history";
import type { PrismaOrTransaction } from "./subscriptions.ts";

export interface Occurrence {
  workspaceId: string;
  type: string;
  occurredAt: Date;
}

export interface NewInterval {
  workspaceId: string;
  intervalId: string;
  subscriptionId: string;
  eventTypes: string[];
  startedAt: Date;
}

export async function insertInterval(prisma: PrismaOrTransaction, interval: NewInterval): Promise<void> {
  await prisma.listeningInterval.create({ data: interval });
}

/** Ends the subscription's open interval. Earlier events still match. */
export async function saveIntervalEnd(
  prisma: PrismaOrTransaction,
  workspaceId: string,
  subscriptionId: string,
  endedAt: Date,
): Promise<void> {
  await prisma.listeningInterval.updateMany({
    where: { workspaceId, subscriptionId, endedAt: null },
    data: { endedAt },
  });
}

const OCCURRENCES = `unnest($1::text[], $2::text[], $3::timestamptz[])
  WITH ORDINALITY AS happened (workspace_id, type, at, position)`;

/** Uses the index on ends, so intervals that ended earlier are not read. */
const LISTENED = `i.workspace_id = happened.workspace_id AND happened.type = ANY (i.event_types)
  AND i.started_at <= happened.at AND coalesce(i.ended_at, 'infinity'::timestamptz) > happened.at`;

/** Without the plan nothing matches, although subscriptions remain (contract 8.2). */
const PLAN_HAD_WEBHOOKS = `${hadWebhooksSql("happened.workspace_id", "happened.at")} AS "hadWebhooks"`;

/** A subquery: with a join, a cached query plan could read all intervals of a webhook, including ended ones. */
const LISTENING_WEBHOOKS = `
SELECT DISTINCT happened.position::int4 AS "position", i.subscription_id AS "subscriptionId", ${PLAN_HAD_WEBHOOKS}
FROM ${OCCURRENCES}
JOIN listening_intervals i ON ${LISTENED}
WHERE 'push' = (
  SELECT s.mode FROM subscriptions s WHERE s.workspace_id = i.workspace_id AND s.subscription_id = i.subscription_id)
ORDER BY 1, 2`;

/** Returns, for each occurrence in order, the ids of existing webhooks that listened at its time, each once. */
export async function findListeningWebhooks(
  sql: Sql,
  occurrences: readonly Occurrence[],
): Promise<Evaluated<string[]>[]> {
  const evaluated = occurrences.map((): Evaluated<string[]> => ({ found: [], isWithheld: false }));
  type Row = { position: number; subscriptionId: string; hadWebhooks: boolean };
  for (const { position, ...row } of await sql.query<Row>(LISTENING_WEBHOOKS, columns(occurrences))) {
    const one = evaluated[position - 1]!;
    if (row.hadWebhooks) one.found.push(row.subscriptionId);
    else one.isWithheld = true;
  }
  return evaluated;
}

const WITH_LISTENER = `
SELECT happened.position::int4 AS "position", ${PLAN_HAD_WEBHOOKS}
FROM ${OCCURRENCES}
WHERE EXISTS (SELECT 1 FROM listening_intervals i WHERE ${LISTENED})`;

/** Returns, for each occurrence in order, whether a webhook or feed, even a deleted one, listened at its time. */
export async function findListened(sql: Sql, occurrences: readonly Occurrence[]): Promise<Evaluated<boolean>[]> {
  const rows = await sql.query<{ position: number; hadWebhooks: boolean }>(WITH_LISTENER, columns(occurrences));
  const plans = new Map(rows.map(({ position, hadWebhooks }) => [position - 1, hadWebhooks]));
  return occurrences.map((_, index) => ({ found: plans.get(index) === true, isWithheld: plans.get(index) === false }));
}

function columns(occurrences: readonly Occurrence[]): unknown[] {
  return [
    occurrences.map(({ workspaceId }) => workspaceId),
    occurrences.map(({ type }) => type),
    occurrences.map(({ occurredAt }) => occurredAt),
  ];
}
