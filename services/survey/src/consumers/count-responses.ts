import { claimNewEvents } from "@canvass/events";
import { inTransaction } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import type { Pool } from "pg";
import { addResponses } from "../storage/response-counts.ts";

/** The durable name of this consumer in the event catalogue. */
export const responseCountsConsumer = "response-counts";

/**
 * Counts completed responses for their surveys, each event once however often it comes: one transaction for a batch.
 * An event about a survey that does not exist counts for nothing.
 */
export async function countResponses(pool: Pool, events: readonly Event[], now: Date): Promise<void> {
  await inTransaction(pool, async (sql) => {
    const fresh = await claimNewEvents(sql, responseCountsConsumer, events, now);
    const completed = fresh.flatMap(({ workspaceId, body }) =>
      body.case === "responseCompleted" ? [{ workspaceId, surveyId: body.value.surveyId }] : [],
    );
    await addResponses(sql, completed);
  });
}
