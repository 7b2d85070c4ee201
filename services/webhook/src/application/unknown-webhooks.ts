import { newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";

/** Makes the delivery service ask for the workspace's webhooks at their next use. */
export function unknownWebhooks(workspaceId: string, occurredAt: Date): Event {
  return newEvent({ workspaceId, occurredAt, body: { case: "subscriptionChanged", value: {} } });
}
