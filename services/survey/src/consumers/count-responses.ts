import { claimNewEvents } from "@canvass/events";
import { inTransaction } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import type { SurveyContext } from "../context.ts";
import { addResponses } from "../storage/response-counts.ts";

/** Counts each event once, even if it is delivered again. */
export async function countResponses({ database, now }: SurveyContext, events: readonly Event[]): Promise<void> {
  await inTransaction(database.hot.pool, async (sql) => {
    const fresh = await claimNewEvents(sql, "response-counts", events, now());
    const counted = fresh.flatMap(({ workspaceId, body }) => {
      if (body.case === "responseCompleted") return [{ workspaceId, surveyId: body.value.surveyId, responses: 1 }];
      if (body.case === "responseErased") return [{ workspaceId, surveyId: body.value.surveyId, responses: -1 }];
      if (body.case === "responsesImported") return [{ workspaceId, ...body.value }];
      return [];
    });
    await addResponses(sql, counted);
  });
}
