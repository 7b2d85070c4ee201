import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { isDatabaseUnavailable } from "@canvass/postgres";
import type { ListeningIntervalSchema, WebhookSchema } from "@canvass/proto/webhook";
import type { WebhookContext } from "../context.ts";
import type { StoredInterval, StoredWebhook } from "../storage/webhooks.ts";

type Sealing = Pick<WebhookContext, "secretKeys" | "log">;

export async function webhookMessage(
  sealing: Sealing,
  webhook: StoredWebhook,
): Promise<MessageInitShape<typeof WebhookSchema>> {
  const { subscriptionId, revision, status, statusReason, url, destinationRevision, formerUntil } = webhook;
  return {
    subscriptionId,
    revision,
    changedAt: timestampFromDate(webhook.changedAt),
    status,
    statusReason,
    url,
    destinationRevision,
    activeSince: timestampFromDate(webhook.activeSince),
    sealedSecret: await sealForDelivery(sealing, webhook, webhook.sealedSecret),
    sealedFormerSecret: await sealForDelivery(sealing, webhook, webhook.sealedFormerSecret),
    ...(formerUntil && { formerUntil: timestampFromDate(formerUntil) }),
  };
}

/**
 * Seals with CANVASS_SECRETS_KEY itself, which the delivery service has, too. Logs a secret that cannot be opened: one
 * bad row must not block the others.
 */
async function sealForDelivery(
  { secretKeys, log }: Sealing,
  { workspaceId, subscriptionId }: StoredWebhook,
  sealed: Uint8Array | null,
): Promise<Uint8Array> {
  if (sealed === null) return new Uint8Array();
  const owner = { workspaceId, subscriptionId };
  try {
    return secretKeys.configured.seal(await secretKeys.open(sealed, owner), owner);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error({ err: error, workspaceId, subscriptionId }, "a signing secret cannot be opened");
    return new Uint8Array();
  }
}

export function intervalMessage({
  intervalId,
  subscriptionId,
  eventTypes,
  startedAt,
  endedAt,
}: StoredInterval): MessageInitShape<typeof ListeningIntervalSchema> {
  return {
    intervalId,
    subscriptionId,
    eventTypes,
    startedAt: timestampFromDate(startedAt),
    ...(endedAt && { endedAt: timestampFromDate(endedAt) }),
  };
}
