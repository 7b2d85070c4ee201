import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { mostBatchItems, requireBatchSize } from "@canvass/inputs";
import {
  BatchGetEndpointsRequestSchema,
  type BatchMatchWebhooksRequest,
  type BatchMatchWebhooksResponseSchema,
} from "@canvass/proto/webhook";
import type { WebhookContext } from "../context.ts";
import { evaluateWithPlans } from "@canvass/plan-history";
import { findListeningWebhooks, type Occurrence } from "../storage/listening-intervals.ts";
import { batchGetEndpoints } from "./batch-get-endpoints.ts";

/** For delivery services of 0.1.0 only. Includes at most a batch of endpoints: they ask for the others. */
export async function batchMatchWebhooks(
  context: WebhookContext,
  { events }: BatchMatchWebhooksRequest,
): Promise<MessageInitShape<typeof BatchMatchWebhooksResponseSchema>> {
  requireBatchSize("events", events);
  const occurrences = events.map(({ workspaceId, type, occurredAt }) => ({
    workspaceId,
    type,
    occurredAt: occurredAt ? timestampDate(occurredAt) : new Date(0),
  }));
  const { hot } = context.database;
  const found = await evaluateWithPlans(context.fetchPlanChanges, occurrences, (some) =>
    findListeningWebhooks(hot.sql, some),
  );
  const matches = found.map((subscriptionIds) => (subscriptionIds ? { subscriptionIds } : { undecided: true }));
  const refs = distinctRefs(occurrences, found).slice(0, mostBatchItems);
  if (refs.length === 0) return { matches };
  const answered = await batchGetEndpoints(context, create(BatchGetEndpointsRequestSchema, { endpoints: refs }));
  return {
    matches,
    endpoints: refs.map((ref, index) => ({ ref, endpoint: answered.endpoints![index]! })),
  };
}

function distinctRefs(occurrences: readonly Occurrence[], matches: readonly (string[] | undefined)[]) {
  const refs = occurrences.flatMap(({ workspaceId }, index) =>
    (matches[index] ?? []).map((subscriptionId) => ({ workspaceId, subscriptionId })),
  );
  return [...new Map(refs.map((ref) => [`${ref.workspaceId} ${ref.subscriptionId}`, ref])).values()];
}
