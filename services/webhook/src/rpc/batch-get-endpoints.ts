import type { MessageInitShape } from "@bufbuild/protobuf";
import { requireBatchSize } from "@canvass/inputs";
import type { BatchGetEndpointsRequest, BatchGetEndpointsResponseSchema } from "@canvass/proto/webhook";
import type { WebhookContext } from "../context.ts";
import { findEndpoints, type EndpointRef } from "../storage/endpoints.ts";

export async function batchGetEndpoints(
  context: WebhookContext,
  { endpoints: refs }: BatchGetEndpointsRequest,
): Promise<MessageInitShape<typeof BatchGetEndpointsResponseSchema>> {
  requireBatchSize("endpoints", refs);
  const found = await findEndpoints(context.database.hot.sql, refs, context.now());
  const endpoints = found.map((endpoint, index) => {
    if (!endpoint) return { status: "absent" };
    if (!endpoint.hasWebhooks) return { status: "locked" };
    const { status, statusReason, url } = endpoint;
    return { status, statusReason, url, secrets: openSecrets(context, endpoint.secrets, refs[index]!) };
  });
  return { endpoints };
}

/** Leaves out and logs a secret that can not be opened, so that one bad row does not block all deliveries. */
function openSecrets(
  { secretBox, log }: WebhookContext,
  secrets: readonly Uint8Array[],
  { workspaceId, subscriptionId }: EndpointRef,
): string[] {
  return secrets.flatMap((sealed) => {
    try {
      return [secretBox.open(sealed, { workspaceId, subscriptionId })];
    } catch (error) {
      log.error({ err: error, workspaceId, subscriptionId }, "a signing secret can not be opened");
      return [];
    }
  });
}
