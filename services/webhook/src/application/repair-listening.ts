import { appendEvents, newEvent } from "@canvass/events";
import { repairPlanChanges } from "@canvass/plan-history";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { Pool } from "pg";
import { repairIntervals } from "../storage/repair-intervals.ts";
import type { Event } from "@canvass/proto/events";

/**
 * Changes of running transactions and of other replicas may be ahead by this much although no clock was set back.
 * Ending an interval earlier would lose the events between.
 */
const SKEW_MS = 10_000;

/**
 * After the clock was set back, starts and ends in the future become now, so that events match the current state. The
 * delivery service asks again for what changed.
 */
export async function repairListening(_: Sql, now: Date, pool: Pool): Promise<void> {
  const ahead = new Date(now.getTime() + SKEW_MS);
  await inTransaction(pool, async (sql) => {
    const workspaceIds = await repairIntervals(sql, now, ahead);
    await repairPlanChanges(sql, now, ahead);
    await appendEvents(
      sql,
      workspaceIds.map((workspaceId) => unknownWebhooks(workspaceId, now)),
    );
  });
}

/** Makes the delivery service ask for the workspace's webhooks at their next use. */
function unknownWebhooks(workspaceId: string, occurredAt: Date): Event {
  return newEvent({ workspaceId, occurredAt, body: { case: "subscriptionChanged", value: {} } });
}
