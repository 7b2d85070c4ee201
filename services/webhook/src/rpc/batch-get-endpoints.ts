import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { requireBatchSize } from "@canvass/inputs";
import { isDatabaseUnavailable } from "@canvass/postgres";
import type { BatchGetEndpointsRequest, BatchGetEndpointsResponseSchema } from "@canvass/proto/webhook";
import type { WebhookContext } from "../context.ts";
import { evaluateWithPlans } from "@canvass/plan-history";
import { findEndpoints, type EndpointRef } from "../storage/endpoints.ts";

export async function batchGetEndpoints(
  context: WebhookContext,
  { endpoints: refs }: BatchGetEndpointsRequest,
): Promise<MessageInitShape<typeof BatchGetEndpointsResponseSchema>> {
  requireBatchSize("endpoints", refs);
  const evaluated = await evaluateWithPlans(context.fetchPlanChanges, refs, async (some) => {
    const found = await findEndpoints(context.database.hot.sql, some, context.now());
    return found.map((endpoint) => ({ found: { endpoint }, isWithheld: endpoint?.hasWebhooks === false }));
  });
  const endpoints = evaluated.map(async (found, index) => {
    if (!found) return { status: "undecided" };
    const { endpoint } = found;
    if (!endpoint) return { status: "absent" };
    if (!endpoint.hasWebhooks) return { status: "locked" };
    const { status, statusReason, url, destinationRevision, activeSince, secrets } = endpoint;
    return {
      status,
      statusReason,
      url,
      destinationRevision,
      activeSince: timestampFromDate(activeSince),
      secrets: await openSecrets(context, secrets, refs[index]!),
    };
  });
  return { endpoints: await Promise.all(endpoints) };
}

/** Skips and logs secrets that cannot be opened, so that one bad row does not block all deliveries. */
async function openSecrets(
  { secretKeys, log }: WebhookContext,
  secrets: readonly Uint8Array[],
  { workspaceId, subscriptionId }: EndpointRef,
): Promise<string[]> {
  const opened = secrets.map(async (sealed) => {
    try {
      return [await secretKeys.open(sealed, { workspaceId, subscriptionId })];
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      log.error({ err: error, workspaceId, subscriptionId }, "a signing secret cannot be opened");
      return [];
    }
  });
  return (await Promise.all(opened)).flat();
}
