import type { MessageInitShape } from "@bufbuild/protobuf";
import { newEvent } from "@canvass/events";
import type { Event, NotificationRequestedSchema } from "@canvass/proto/events";

/** What happened to a webhook that its workspace's owners and admins are told of. */
export type WebhookNotification = NonNullable<MessageInitShape<typeof NotificationRequestedSchema>["notification"]>;

export interface NotificationContext {
  workspaceId: string;
  at: Date;
  /** The caller whose doing it is; left out when it happened by itself. */
  caller?: { personName: string; tokenName: string };
}

/**
 * The event by which owners and admins get a mail (contract 8.12). Append it in the transaction of what it tells of: the
 * mail is written exactly if that is committed.
 */
export function webhookNotification(
  { workspaceId, at, caller }: NotificationContext,
  notification: WebhookNotification,
): Event {
  const { personName = "", tokenName = "" } = caller ?? {};
  const value = { personName, tokenName, notification };
  return newEvent({
    workspaceId,
    occurredAt: at,
    source: "webhook",
    body: { case: "notificationRequested", value },
  });
}

/** A webhook as notifications name it: of its URL only the host, since the rest is often a secret. */
export function webhookRef({
  subscriptionId,
  name,
  url,
}: {
  subscriptionId: string;
  name: string;
  url: string | null;
}) {
  return { subscriptionId, name, host: hostOf(url) };
}

/** The host of a webhook's URL, with the port unless it is the usual one. */
export function hostOf(url: string | null): string {
  return (url !== null && URL.parse(url)?.host) || "";
}
