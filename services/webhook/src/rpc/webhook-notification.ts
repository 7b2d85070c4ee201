import type { MessageInitShape } from "@bufbuild/protobuf";
import { newEvent } from "@canvass/events";
import type { Event, NotificationRequestedSchema } from "@canvass/proto/events";

export type WebhookNotification = NonNullable<MessageInitShape<typeof NotificationRequestedSchema>["notification"]>;

export interface NotificationContext {
  workspaceId: string;
  at: Date;
  /** Absent when the service itself made the change. */
  caller?: { personName: string; tokenName: string };
}

/** Requests a mail to owners and admins (contract 8.12). Publish it in the transaction of the change. */
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

/** Contains only the host of the URL, because the rest is often a secret. */
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

export function hostOf(url: string | null): string {
  return (url !== null && URL.parse(url)?.host) || "";
}
