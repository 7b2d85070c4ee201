import type { MessageInitShape } from "@bufbuild/protobuf";
import { unconfirmedEvents } from "@canvass/events";
import { requireBatchSize } from "@canvass/inputs";
import { inTransaction } from "@canvass/postgres";
import type { BatchGetPendingPlanChangesRequest, BatchGetPendingPlanChangesResponseSchema } from "@canvass/proto/token";
import type { TokenContext } from "../context.ts";
import { awaitChanges } from "../storage/workspaces.ts";

/** Returns the plan changes that webhook or delivery has not confirmed. Waits for changes in progress. */
export async function batchGetPendingPlanChanges(
  { database }: TokenContext,
  { workspaceIds }: BatchGetPendingPlanChangesRequest,
): Promise<MessageInitShape<typeof BatchGetPendingPlanChangesResponseSchema>> {
  requireBatchSize("workspace_ids", workspaceIds);
  const events = await inTransaction(database.pool, async (sql) => {
    await awaitChanges(sql, workspaceIds);
    return unconfirmedEvents(sql, { type: "workspace.plan_changed", workspaceIds });
  });
  return { events };
}
