import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { requireBatchSize } from "@canvass/inputs";
import type { BatchMatchWebhooksRequest, BatchMatchWebhooksResponseSchema } from "@canvass/proto/webhook";
import type { WebhookContext } from "../context.ts";
import { findListeningWebhooks } from "../storage/listening-intervals.ts";

export async function batchMatchWebhooks(
  { database }: WebhookContext,
  { events }: BatchMatchWebhooksRequest,
): Promise<MessageInitShape<typeof BatchMatchWebhooksResponseSchema>> {
  requireBatchSize("events", events);
  const occurrences = events.map(({ workspaceId, type, occurredAt }) => ({
    workspaceId,
    type,
    occurredAt: occurredAt ? timestampDate(occurredAt) : new Date(0),
  }));
  const matches = await findListeningWebhooks(database.hot.sql, occurrences);
  return { matches: matches.map((subscriptionIds) => ({ subscriptionIds })) };
}
