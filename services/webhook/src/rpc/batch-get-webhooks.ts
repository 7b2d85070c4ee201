import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { findPlanChanges } from "@canvass/plan-history";
import { inTransaction } from "@canvass/postgres";
import type { BatchGetWebhooksRequest, BatchGetWebhooksResponseSchema } from "@canvass/proto/webhook";
import type { WebhookContext } from "../context.ts";
import { findIntervals, findWebhooks } from "../storage/webhooks.ts";
import { intervalMessage, webhookMessage } from "./webhook-message.ts";

const MAX_WORKSPACES = 10;
const MAX_INTERVALS = 1000;

/** Reads webhooks, intervals and plans in one snapshot. */
export async function batchGetWebhooks(
  context: WebhookContext,
  { workspaceIds }: BatchGetWebhooksRequest,
): Promise<MessageInitShape<typeof BatchGetWebhooksResponseSchema>> {
  if (workspaceIds.length > MAX_WORKSPACES) {
    throw new AppError("invalid_request", { workspace_ids: [`At most ${MAX_WORKSPACES}.`] });
  }
  const found = await inTransaction(
    context.database.pool,
    (sql) =>
      Promise.all([
        findWebhooks(sql, workspaceIds, context.now()),
        findIntervals(sql, workspaceIds, MAX_INTERVALS),
        findPlanChanges(sql, workspaceIds),
      ]),
    { isolation: "repeatable read" },
  );
  const [webhooks, intervals, plans] = [
    Map.groupBy(found[0], workspaceOf),
    Map.groupBy(found[1], workspaceOf),
    Map.groupBy(found[2], workspaceOf),
  ];
  const workspaces = workspaceIds.map(async (workspaceId) => ({
    webhooks: await Promise.all((webhooks.get(workspaceId) ?? []).map((webhook) => webhookMessage(context, webhook))),
    intervals: (intervals.get(workspaceId) ?? []).map(intervalMessage),
    planChanges: (plans.get(workspaceId) ?? []).map(({ changedAt, hasWebhooks }) => ({
      changedAt: timestampFromDate(changedAt),
      hasWebhooks,
    })),
  }));
  return { workspaces: await Promise.all(workspaces) };
}

const workspaceOf = ({ workspaceId }: { workspaceId: string }) => workspaceId;
