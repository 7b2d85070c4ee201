import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { ListeningInterval as IntervalMessage, Webhook as WebhookMessage } from "@canvass/proto/webhook";
import type { ListeningInterval } from "../../storage/listening-intervals.ts";
import type { NewWebhook } from "../../storage/webhooks.ts";

const EPOCH = new Date(0);

export function webhookFromMessage(workspaceId: string, message: WebhookMessage): NewWebhook {
  const { subscriptionId, revision, status, statusReason, url, destinationRevision } = message;
  const { changedAt, activeSince, formerUntil, sealedSecret, sealedFormerSecret } = message;
  return {
    workspaceId,
    subscriptionId,
    revision,
    changedAt: changedAt ? timestampDate(changedAt) : EPOCH,
    status,
    statusReason,
    url,
    sealedSecret,
    sealedFormerSecret,
    formerUntil: formerUntil ? timestampDate(formerUntil) : null,
    destinationRevision,
    activeSince: activeSince ? timestampDate(activeSince) : EPOCH,
  };
}

export function intervalFromMessage(workspaceId: string, message: IntervalMessage): ListeningInterval {
  const { intervalId, subscriptionId, eventTypes, startedAt, endedAt } = message;
  return {
    workspaceId,
    intervalId,
    subscriptionId,
    eventTypes,
    startedAt: startedAt ? timestampDate(startedAt) : EPOCH,
    endedAt: endedAt ? timestampDate(endedAt) : null,
  };
}
